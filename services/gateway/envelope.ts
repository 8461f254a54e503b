import { Problem } from '../core/errors.ts';
import { etagOf } from '../core/etag.ts';
import { pickFields } from '../core/fields.ts';
import { type Reply, recordBody } from '../core/http.ts';
import type { LargeListBody } from './large-list.ts';

/** A reply as it goes over the wire, and as idempotency stores it. */
export interface WireReply {
  status: number;
  headers: Record<string, string>;
  body: Buffer | string | null;
  /** In place of `body`: a list that is read while it is sent. */
  large?: LargeListBody;
}

const jsonType = 'application/json; charset=utf-8';

/** spec: Response envelope; `fields` are the members that the records keep. */
export function toWire(reply: Reply, fields?: ReadonlySet<string>): WireReply {
  switch (reply.kind) {
    case 'record': {
      const body = recordBody(pickFields(reply.data, fields));
      return {
        status: reply.status,
        headers: { 'Content-Type': jsonType, ETag: etagOf(body), ...reply.headers },
        body,
      };
    }
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
    case 'raw':
      return {
        status: reply.status,
        headers: reply.body ? { 'Content-Type': reply.contentType, ...reply.headers } : { ...reply.headers },
        body: reply.body,
      };
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
