import type { Db } from '../../core/db.ts';
import { type Chunk, LargeText } from '../../core/large-list.ts';
import { type Reply, raw, rawLarge } from '../../core/reply.ts';
import type { Cipher } from '../../core/secrets.ts';
import { largeText } from '../../engines/objects/large-text.ts';
import type { ObjectStore } from '../../engines/objects/store.ts';
import { recordParts } from '../large-reply.ts';
import { insertPart, type KeyIdentity, type StoredReply, selectPart } from './idempotency-sql.ts';

/** A piece of a body: text, an object, or a row of its own and its number of bytes. */
type Segment = string | { hash: string; encoding: LargeText['encoding'] } | { part: number; bytes: number };

interface SealedReply {
  headers: Record<string, string>;
  /** In base64; a large reply has `segments` instead. */
  body?: string | null;
  segments?: Segment[];
}

interface Deps {
  objects: Pick<ObjectStore, 'locate' | 'readAt' | 'getBytes' | 'pin'>;
  cipher: Cipher;
}

/**
 * Text of this many characters is stored in a row of its own, encrypted separately, so that no long text is ever in
 * memory whole.
 */
const partChars = 192 * 1024;

export const contextOf = ({ apiKeyId, path, key }: KeyIdentity) => `idempotency:${apiKeyId}:${path}:${key}`;
const contextOfPart = (identity: KeyIdentity, part: number) => `${contextOf(identity)}#${part}`;

/** Stores the text and the objects of a large reply, which is always a record, since POST returns no lists. */
async function sealLarge(
  { cipher, objects }: Deps,
  db: Db,
  identity: KeyIdentity,
  parts: Iterable<string | LargeText>,
): Promise<{ segments: Segment[]; hashes: string[] }> {
  const segments: Segment[] = [];
  const hashes = new Set<string>();
  let text = '';
  let part = 0;
  for (const piece of parts) {
    if (piece instanceof LargeText) {
      segments.push(text, { hash: piece.hash, encoding: piece.encoding });
      hashes.add(piece.hash);
      text = '';
      continue;
    }
    text += piece;
    if (text.length < partChars) continue;
    const bytes = Buffer.from(text);
    await insertPart(db, identity, part, cipher.encryptBytes(bytes, contextOfPart(identity, part)));
    segments.push({ part: part++, bytes: bytes.length });
    text = '';
  }
  segments.push(text);
  await objects.pin(db, [...hashes]);
  return { segments, hashes: [...hashes] };
}

/**
 * Encrypts a reply for its row, in the transaction that stores it. A large record keeps references to its objects, and
 * long text is stored in rows of its own.
 */
export async function sealReply(deps: Deps, db: Db, identity: KeyIdentity, reply: Reply): Promise<StoredReply> {
  const { headers, large } = reply;
  const seal = (sealed: SealedReply) => deps.cipher.encrypt(JSON.stringify(sealed), contextOf(identity));
  if (!large || !('record' in large))
    return { reply: seal({ headers, body: reply.bytes?.toString('base64') ?? null }), reply_hash: null };
  const { segments, hashes } = await sealLarge(deps, db, identity, recordParts(large));
  return { reply: seal({ headers, segments }), reply_hash: hashes.length > 0 ? hashes.join(' ') : null };
}

function openSegment({ objects, cipher }: Deps, db: Db, identity: KeyIdentity, segment: Segment) {
  if (typeof segment === 'string') return segment;
  if ('hash' in segment) return largeText(objects, segment.hash, segment.encoding);
  const { part, bytes } = segment;
  const read = async () => cipher.decryptBytes(await selectPart(db, identity, part), contextOfPart(identity, part));
  return { bytes, read } satisfies Chunk<Buffer>;
}

/**
 * Returns the reply that `sealReply` stored, with its status and the additional headers `more`; reads its large parts
 * while it is sent.
 */
export async function openReply(
  deps: Deps,
  db: Db,
  identity: KeyIdentity,
  { reply, reply_hash, status }: StoredReply & { status: number },
  more: Record<string, string>,
): Promise<Reply> {
  // replies stored before an upgrade may be in the object store
  const text = reply ?? (await deps.objects.getBytes(reply_hash!)).toString();
  const { headers, body, segments } = JSON.parse(deps.cipher.decrypt(text, contextOf(identity))) as SealedReply;
  const all = { ...headers, ...more };
  if (segments) return rawLarge(status, { segments: segments.map((one) => openSegment(deps, db, identity, one)) }, all);
  return raw(status, body == null ? null : Buffer.from(body, 'base64'), all);
}
