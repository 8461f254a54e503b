import { Problem } from '../core/errors.ts';
import { etagOf } from '../core/etag.ts';
import { pickFields } from '../core/fields.ts';
import { type Reply, recordBody } from '../core/http.ts';
import { hasLargeText, isLongerThan } from './json-parts.ts';
import type { LargeBody } from './large-reply.ts';

/** A reply as it goes over the wire, and as idempotency stores it. */
export interface WireReply {
  status: number;
  headers: Record<string, string>;
  body: Buffer | string | null;
  /** In place of `body`: what is read while it is sent. */
  large?: LargeBody;
}

const jsonType = 'application/json; charset=utf-8';

/** A record of more characters is written in parts. Only a batch has so many, and one with a `LargeText`. */
const wholeRecordChars = 2 * 1024 * 1024;

/**
 * A record as a whole, or in parts where it is large. One with a `LargeText` has an entity tag that stands for what the text is; a
 * long one without has none, since nothing but the reply to a batch is so long.
 */
function recordToWire(status: number, data: object, headers: Record<string, string> = {}): WireReply {
  const isInParts = hasLargeText(data);
  if (!isInParts && isLongerThan(data, wholeRecordChars))
    return { status, headers: { 'Content-Type': jsonType, ...headers }, body: null, large: { record: data } };
  const body = recordBody(data);
  const all = { 'Content-Type': jsonType, ETag: etagOf(body), ...headers };
  return isInParts ? { status, headers: all, body: null, large: { record: data } } : { status, headers: all, body };
}

/** spec: Response envelope; `fields` are the members that the records keep. */
export function toWire(reply: Reply, fields?: ReadonlySet<string>): WireReply {
  switch (reply.kind) {
    case 'record':
      return recordToWire(reply.status, pickFields(reply.data, fields), reply.headers);
    case 'list': {
      const { items, rest = [], pagination } = reply;
      if (rest.length > 0) {
        const headers = { 'Content-Type': jsonType, ...reply.headers };
        return { status: 200, headers, body: null, large: { items, rest, pagination, fields } };
      }
      const data = items.map((item) => pickFields(item, fields));
      const body = JSON.stringify({ success: true, data, pagination });
      return { status: 200, headers: { 'Content-Type': jsonType, ETag: etagOf(body), ...reply.headers }, body };
    }
    case 'raw': {
      const { status, body } = reply;
      const headers = body ? { 'Content-Type': reply.contentType, ...reply.headers } : { ...reply.headers };
      if (!body || Buffer.isBuffer(body)) return { status, headers, body };
      return { status, headers: { ...headers, 'Content-Length': String(body.bytes) }, body: null, large: body };
    }
  }
}

/** What an error says beside its status and body. */
export function problemHeaders({ headers, retryAfterSeconds }: Problem): Record<string, string> {
  if (retryAfterSeconds === undefined) return headers;
  return { ...headers, 'Retry-After': String(Math.ceil(retryAfterSeconds)) };
}

/** An error as the client sees it; anything that is not of the catalogue is a 500 without a word about its inside. */
export function errorToWire(error: unknown): WireReply {
  const known =
    error instanceof Problem
      ? error
      : new Problem('internal_error', 'Something went wrong on our side; the request id names it in our logs.');
  const { code, message, details } = known;
  const headers = { 'Content-Type': jsonType, ...problemHeaders(known) };
  const body = {
    success: false,
    error: { code, message, ...(details ? { details } : known.status === 422 ? { details: [] } : {}) },
  };
  return { status: known.status, headers, body: JSON.stringify(body) };
}
