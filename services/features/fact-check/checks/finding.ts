import type { Statement } from '../text/statements.ts';

/** An error of the text itself, found in one sentence. */
export interface Finding {
  statement: Statement;
  kind: 'number' | 'date';
  type: 'arithmetic' | 'article';
  message: string;
  /** The other place in the text, for a contradiction between two. */
  excerpt?: string;
}
