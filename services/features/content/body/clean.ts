import type { CleanBody, GivenBody } from '../../app.ts';
import { findMediaIds } from '../media-uses/find-ids.ts';
import { sanitizeBody } from '../sanitize/index.ts';
import { htmlToText } from '../text.ts';
import { renderMarkdown } from './markdown.ts';

/** Bodies above this are stored by hash, not in SQL rows. */
export const maxInlineBodyBytes = 256 * 1024;

/** The HTML of a body as it was sent, not yet safe. */
export const toHtml = (given: GivenBody): string =>
  typeof given === 'string' ? given : renderMarkdown(given.markdown);

/** Renders and sanitizes a body and reads its text. Takes up to a millisecond for each kilobyte: see `createBodyCleaner`. */
export function cleanBody(given: GivenBody): CleanBody & { html: string } {
  const { html, warnings } = sanitizeBody(toHtml(given));
  return { html, warnings, text: htmlToText(html), mediaIds: findMediaIds(html) };
}
