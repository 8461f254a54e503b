import { sanitizeBody, type Warning } from '../sanitize/index.ts';
import { htmlToText } from '../text.ts';

/** A body as it may be stored. */
export interface CleanBody {
  html: string;
  /** What sanitizing removed or repaired. */
  warnings: Warning[];
  /** What is searched. */
  text: string;
}

/** Sanitizes a body and reads its text. Takes up to a millisecond for each kilobyte: see `createBodyCleaner`. */
export function cleanBody(given: string): CleanBody {
  const { html, warnings } = sanitizeBody(given);
  return { html, warnings, text: htmlToText(html) };
}
