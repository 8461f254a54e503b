import type { CleanBody } from '../../app.ts';
import { sanitizeBody } from '../sanitize/index.ts';
import { htmlToText } from '../text.ts';

/** Bodies above this are stored by hash, not in SQL rows. */
export const maxInlineBodyBytes = 256 * 1024;

/** Sanitizes a body and reads its text. Takes up to a millisecond for each kilobyte: see `createBodyCleaner`. */
export function cleanBody(given: string): CleanBody & { html: string } {
  const { html, warnings } = sanitizeBody(given);
  return { html, warnings, text: htmlToText(html) };
}
