import { sanitizeBody, type Warning } from '../sanitize/index.ts';
import { htmlToText } from '../text.ts';

/** Bodies above this are stored by hash, not in SQL rows. */
export const maxInlineBodyBytes = 256 * 1024;

/** A body as it may be stored. */
export interface CleanBody {
  /** Bytes where they came from a thread and are more than a row has. */
  html: string | Buffer;
  /** What sanitizing removed or repaired. */
  warnings: Warning[];
  /** What is searched. */
  text: string;
}

/** Sanitizes a body and reads its text. Takes up to a millisecond for each kilobyte: see `createBodyCleaner`. */
export function cleanBody(given: string): CleanBody & { html: string } {
  const { html, warnings } = sanitizeBody(given);
  return { html, warnings, text: htmlToText(html) };
}
