import type { WrittenContent } from './row.ts';
import { sanitizeBody } from './sanitize/index.ts';
import type { ContentScope } from './scope.ts';
import { htmlToText } from './text.ts';

/** Bodies above this are stored by hash, not in SQL rows. */
const maxInlineBodyBytes = 256 * 1024;

/** A body as it is stored. */
export interface StoredBody {
  columns: Pick<WrittenContent, 'body_html' | 'body_hash' | 'warnings'>;
  /** What is searched. */
  text: string;
}

/** Sanitizes a body and, when it is large, puts it into the object store. */
export async function storeBody({ app, db }: ContentScope, given: string): Promise<StoredBody> {
  const { html, warnings } = sanitizeBody(given);
  const text = htmlToText(html);
  if (Buffer.byteLength(html) <= maxInlineBodyBytes)
    return { columns: { body_html: html, body_hash: null, warnings }, text };
  const hash = await app.objects.putBytes(Buffer.from(html));
  await app.objects.pin(db, [hash]);
  return { columns: { body_html: '', body_hash: hash, warnings }, text };
}
