import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import type { CustomBodyInput } from '../../services/core/http.ts';
import { hashBytes } from '../../services/engines/objects/store.ts';

/** A store that reads everything and keeps nothing. */
const sink = {
  async putStream(source: Readable, { maxBytes }: { maxBytes: number }) {
    const parts: Buffer[] = [];
    for await (const chunk of source) parts.push(chunk as Buffer);
    const data = Buffer.concat(parts);
    assert.ok(data.length <= maxBytes);
    return { hash: hashBytes(data), bytes: data.length };
  },
};
const limits = { imageBytes: 1 << 20, imagePixels: 1_000_000, videoBytes: 1 << 20, fileBytes: 1 << 20 };

/** Creates a request with a form, its body in chunks of some size. */
export function uploadInput(type: string, data: Buffer, chunkBytes: number): CustomBodyInput {
  const chunks: Buffer[] = [];
  for (let at = 0; at < data.length; at += chunkBytes) chunks.push(data.subarray(at, at + chunkBytes));
  return {
    app: { objects: sink, config: { mediaLimits: limits, bodyTimeoutMs: 60_000 } },
    headers: { 'content-type': type, 'content-length': String(data.length) },
    stream: Readable.from(chunks, { objectMode: false }),
  } as unknown as CustomBodyInput;
}
