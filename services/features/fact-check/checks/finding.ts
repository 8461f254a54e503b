import type { Statement } from '../text/statements.ts';

/** Something that the text itself gets wrong, found in one sentence. */
export interface Finding {
  statement: Statement;
  kind: 'number' | 'date';
  type: 'arithmetic' | 'article';
  message: string;
  /** The other place in the text, for a contradiction between two. */
  excerpt?: string;
}
