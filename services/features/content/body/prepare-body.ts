import { Readable } from 'node:stream';
import type { Db } from '../../../core/db.ts';
import type { App, CleanBody, GivenBody } from '../../app.ts';
import type { WrittenContent } from '../row.ts';
import type { CheckedFields } from '../types/prepare-fields.ts';
import { maxInlineBodyBytes } from './clean.ts';

/** What is larger is hashed and stored slice by slice: at once, 20 MiB would keep the event loop busy. */
const slicedBytes = 5 * 1024 * 1024;
const sliceBytes = 64 * 1024;

/** A body that is clean and, when it is large, in the object store. */
export interface PreparedBody {
  columns: Pick<WrittenContent, 'body_html' | 'body_hash' | 'warnings'>;
  /** What is searched. */
  text: string;
  /** Ids that may name media items. */
  mediaIds: string[];
}

/** The members of a request that hold its body, of which it has one at most. */
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
 * Makes the bodies of requests ready, before the transaction that stores them, which may run again. `key` is whose they are: large ones
 * of different keys take turns. Throws what `BodyCleaner` throws.
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

/** Pins a body in the transaction that refers to it, and answers its columns. Throws MissingObject when it was collected meanwhile. */
export async function pinBody(
  { objects }: Pick<App, 'objects'>,
  db: Db,
  { columns }: PreparedBody,
): Promise<PreparedBody['columns']> {
  if (columns.body_hash) await objects.pin(db, [columns.body_hash]);
  return columns;
}
