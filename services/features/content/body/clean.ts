import type { CleanBody, GivenBody } from '../../app.ts';
import { findMediaIds } from '../media-uses/find-ids.ts';
import { sanitizeBody } from '../sanitize/index.ts';
import { htmlToText } from '../text.ts';
import { renderMarkdown } from './markdown.ts';

/** Larger bodies are stored by hash, not in SQL rows. */
export const maxInlineBodyBytes = 256 * 1024;

/** Returns the HTML of a body as sent, not yet sanitized. */
export const toHtml = (given: GivenBody): string =>
  typeof given === 'string' ? given : renderMarkdown(given.markdown);

/** Renders and sanitizes a body and extracts its text. Takes up to 1 ms for each kilobyte: see `createBodyCleaner`. */
export function cleanBody(given: GivenBody): CleanBody & { html: string } {
  const { html, warnings } = sanitizeBody(toHtml(given));
  return { html, warnings, text: htmlToText(html), mediaIds: findMediaIds(html) };
}
