import type { CleanBody } from '../../app.ts';
import { sanitizeBody } from '../sanitize/index.ts';
import { htmlToText } from '../text.ts';

/** Sanitizes a body and reads its text. Takes up to a millisecond for each kilobyte: see `createBodyCleaner`. */
export function cleanBody(given: string): CleanBody {
  const { html, warnings } = sanitizeBody(given);
  return { html, warnings, text: htmlToText(html) };
}
