import { Readable } from 'node:stream';
import type { Db } from '../../../core/db.ts';
import type { App, CleanBody, GivenBody } from '../../app.ts';
import type { WrittenContent } from '../row.ts';
import type { CheckedFields } from '../types/prepare-fields.ts';
import { maxInlineBodyBytes } from './clean.ts';

/** Larger bodies are hashed and stored in slices: 20 MiB in one step would block the event loop. */
const slicedBytes = 5 * 1024 * 1024;
const sliceBytes = 64 * 1024;

/** A sanitized body; a large one is already in the object store. */
export interface PreparedBody {
  columns: Pick<WrittenContent, 'body_html' | 'body_hash' | 'warnings'>;
  /** The text that `q` searches. */
  text: string;
  /** Ids that may name media items. */
  mediaIds: string[];
}

/** The members of a request that hold its body; at most one is set. */
interface BodyMembers {
  body_html?: string | undefined;
  body_markdown?: string | undefined;
}

/** A request whose body is ready to be stored. */
export type Prepared<Request extends BodyMembers> = Omit<Request, keyof BodyMembers> & {
  body?: PreparedBody;
  checked?: CheckedFields;
};

type Deps = Pick<App, 'objects' | 'bodies'>;

export const emptyBody: PreparedBody = {
  columns: { body_html: '', body_hash: null, warnings: [] },
  text: '',
  mediaIds: [],
};

function* slicesOf(data: Buffer): Generator<Buffer> {
  for (let start = 0; start < data.length; start += sliceBytes) yield data.subarray(start, start + sliceBytes);
}

async function putLarge(objects: App['objects'], data: Buffer): Promise<string> {
  if (data.length <= slicedBytes) return objects.putBytes(data);
  const limits = { maxBytes: data.length, minBytes: data.length };
  return (await objects.putStream(Readable.from(slicesOf(data), { objectMode: false }), limits)).hash;
}

async function putBody({ objects }: Deps, { html, warnings, ...found }: CleanBody): Promise<PreparedBody> {
  if (Buffer.byteLength(html) <= maxInlineBodyBytes)
    return { columns: { body_html: html.toString(), body_hash: null, warnings }, ...found };
  const body_hash = await putLarge(objects, Buffer.isBuffer(html) ? html : Buffer.from(html));
  return { columns: { body_html: '', body_hash, warnings }, ...found };
}

function bodyOf({ body_html, body_markdown }: BodyMembers): GivenBody | undefined {
  return body_markdown === undefined ? body_html : { markdown: body_markdown };
}

/**
 * Prepares the bodies of requests, before the transaction that stores them, which may be retried. The queue for large
 * bodies is fair between the `key`s. Throws the errors of `BodyCleaner`.
 */
export async function prepareContents<Request extends BodyMembers>(
  app: Deps,
  key: string,
  requests: readonly Request[],
): Promise<Prepared<Request>[]> {
  const clean = await app.bodies.clean(
    key,
    requests.map((request) => bodyOf(request) ?? ''),
  );
  const prepared: Prepared<Request>[] = [];
  for (const [index, request] of requests.entries()) {
    const { body_html: _html, body_markdown: _markdown, ...members } = request;
    const body = bodyOf(request) === undefined ? {} : { body: await putBody(app, clean[index]!) };
    prepared.push({ ...members, ...body });
  }
  return prepared;
}

/**
 * Pins a body in the transaction that refers to it, and returns its columns. Throws MissingObject if it was collected
 * meanwhile.
 */
export async function pinBody(
  { objects }: Pick<App, 'objects'>,
  db: Db,
  { columns }: PreparedBody,
): Promise<PreparedBody['columns']> {
  if (columns.body_hash) await objects.pin(db, [columns.body_hash]);
  return columns;
}
