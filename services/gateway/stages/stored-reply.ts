import { Readable } from 'node:stream';
import type { Reply } from '../../core/http.ts';
import { inPieces, type LargeBytes } from '../../core/large-list.ts';
import { type Cipher, sealedOverhead } from '../../core/secrets.ts';
import { MissingObject, type ObjectStore } from '../../engines/objects/store.ts';
import type { WireReply } from '../envelope.ts';
import { partsOf } from '../large-reply.ts';

/** What the row of an idempotency key has of a reply. */
export interface StoredReply {
  /** Status apart: headers and body under encryption, or headers and length where the body is in the object store. */
  reply: string | null;
  reply_hash: string | null;
}

/** A body of more bytes goes to the object store in parts of so many, each encrypted by itself: none is ever in memory whole. */
const partBytes = 192 * 1024;
/** Far more than the reply to a body of 4 MiB has. */
const maxBytes = 1024 * 1024 * 1024;

interface Deps {
  objects: Pick<ObjectStore, 'putStream' | 'getBytes' | 'locate' | 'readAt'>;
  cipher: Cipher;
}

interface SealedReply {
  headers: Record<string, string>;
  /** In base64; absent where the object store has it. */
  body?: string | null;
  /** Of the body that the object store has. */
  bytes?: number;
}

const nothingToWaitFor = { hold: async () => undefined };
const contextOfPart = (context: string, part: number) => `${context}#${part}`;

/** Blocks of exactly `bytes` bytes, and a last one that may be shorter. */
async function* inBlocks(parts: AsyncIterable<string | Buffer>, bytes: number): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let length = 0;
  for await (const part of parts) {
    const data = typeof part === 'string' ? Buffer.from(part) : part;
    waiting.push(data);
    length += data.length;
    if (length < bytes) continue;
    const all = Buffer.concat(waiting);
    let start = 0;
    for (; all.length - start >= bytes; start += bytes) yield all.subarray(start, start + bytes);
    waiting = [all.subarray(start)];
    length = all.length - start;
  }
  if (length > 0) yield Buffer.concat(waiting);
}

async function* once(body: string | Buffer): AsyncGenerator<string | Buffer> {
  yield body;
}

async function sealLarge({ objects, cipher }: Deps, wire: WireReply, context: string): Promise<StoredReply> {
  const parts = wire.large ? partsOf(wire.large, nothingToWaitFor) : once(wire.body ?? '');
  let bytes = 0;
  async function* sealed(): AsyncGenerator<Buffer> {
    let part = 0;
    for await (const block of inBlocks(parts, partBytes)) {
      bytes += block.length;
      yield cipher.encryptBytes(block, contextOfPart(context, part++));
    }
  }
  const { hash } = await objects.putStream(Readable.from(sealed(), { objectMode: false }), { maxBytes });
  const head: SealedReply = { headers: wire.headers, bytes };
  return { reply: cipher.encrypt(JSON.stringify(head), context), reply_hash: hash };
}

/** Encrypts a reply for its row; a large body goes into the object store, part by part. `context` binds it to the row. */
export async function sealReply(deps: Deps, wire: WireReply, context: string): Promise<StoredReply> {
  if (wire.large || (wire.body?.length ?? 0) > partBytes) return sealLarge(deps, wire, context);
  const body = wire.body === null ? null : Buffer.from(wire.body).toString('base64');
  const sealed: SealedReply = { headers: wire.headers, body };
  return { reply: deps.cipher.encrypt(JSON.stringify(sealed), context), reply_hash: null };
}

async function openLarge({ objects, cipher }: Deps, hash: string, bytes: number, context: string): Promise<LargeBytes> {
  const place = (await objects.locate([hash])).get(hash);
  if (!place) throw new MissingObject(`Nothing is stored under ${hash}.`);
  const read = async (start: number, length: number) => {
    const part = start / partBytes;
    const offset = place.offset + start + part * sealedOverhead;
    const sealed = await objects.readAt({ key: place.key, offset, bytes: length + sealedOverhead });
    return cipher.decryptBytes(sealed, contextOfPart(context, part));
  };
  return { bytes, pieces: inPieces(bytes, partBytes, read) };
}

/** The reply that `sealReply` stored, under its status. Throws MissingObject for a body that is not in the store. */
export async function openReply(
  deps: Deps,
  { reply, reply_hash }: StoredReply,
  status: number,
  context: string,
): Promise<Reply> {
  // before bodies were stored in parts, a large one had all of its reply in one object
  const sealed = reply ?? (await deps.objects.getBytes(reply_hash!)).toString();
  const { headers: all, body, bytes } = JSON.parse(deps.cipher.decrypt(sealed, context)) as SealedReply;
  const { 'Content-Type': contentType = '', ...headers } = all;
  const inStore = bytes !== undefined && reply_hash !== null;
  return {
    kind: 'raw',
    status,
    body: inStore
      ? await openLarge(deps, reply_hash, bytes, context)
      : body == null
        ? null
        : Buffer.from(body, 'base64'),
    contentType,
    headers,
  };
}
