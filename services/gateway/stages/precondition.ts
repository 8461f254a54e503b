import { problem } from '../../core/errors.ts';
import { namesTag } from '../../core/etag.ts';
import type { AppRoute, Input } from '../../features/route.ts';

/**
 * Throws `precondition_failed` if `If-Match` does not match the record's current version, or if a PUT with `If-Match`
 * would create the record, or if `If-None-Match` of a PUT names the record's version (contract: Lost updates; RFC 9110,
 * 13.1.1 and 13.1.2). For other methods on a missing record, the handler throws. Requires the handler's transaction: of
 * two writers with one tag, or two that create the record, one then finds the other's version.
 */
export async function requireMatch({ method, etag: readTag }: Pick<AppRoute, 'method' | 'etag'>, input: Input) {
  const ifMatch = input.headers['if-match'];
  const ifNoneMatch = method === 'PUT' ? input.headers['if-none-match'] : undefined;
  if (!readTag || (ifMatch === undefined && ifNoneMatch === undefined)) return;
  const etag = await readTag(input);
  if (ifNoneMatch !== undefined && etag !== undefined && namesTag(ifNoneMatch, etag))
    throw problem('precondition_failed', 'There is such a record already; read it first.', { headers: { ETag: etag } });
  if (ifMatch === undefined) return;
  if (etag !== undefined && namesTag(ifMatch, etag)) return;
  if (etag === undefined && method !== 'PUT') return;
  const message =
    etag === undefined
      ? 'There is no such record yet; send the request without If-Match to create it.'
      : 'The record has changed since it was read; read it again.';
  throw problem('precondition_failed', message, etag === undefined ? {} : { headers: { ETag: etag } });
}
