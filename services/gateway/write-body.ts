import type { ServerResponse } from 'node:http';
import type { ByteHold } from '../core/byte-budget.ts';
import type { LargeBody } from '../core/reply.ts';
import { partsOf } from './large-reply.ts';

/** As much as is written at once. */
const sliceBytes = 64 * 1024;
/** A client that does not take one slice in this time loses its connection: others wait for the memory. */
const defaultStallMs = 30_000;

/** What a connection that ends before its reply is told by. */
export class ConnectionEnded extends Error {}

/** Hands over what `write` writes to the system. Throws ConnectionEnded when the client is gone, or takes nothing for too long. */
async function handOver(
  res: ServerResponse,
  write: (done: (error?: Error | null) => void) => void,
  stallMs: number,
): Promise<void> {
  if (res.destroyed) throw new ConnectionEnded('The client is gone.');
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const end = (why: string) => reject(new ConnectionEnded(why));
  const close = () => end('The client is gone.');
  const timer = setTimeout(end, stallMs, `The client took less than ${sliceBytes} bytes in ${stallMs} ms.`);
  res.once('close', close);
  write((error) => (error ? close() : resolve()));
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    res.off('close', close);
  }
}

/** Writes bytes in slices, each once the one before is with the system. */
async function writeSlices(
  res: ServerResponse,
  bytes: Buffer,
  stallMs: number,
  taken?: (leftBytes: number) => void,
): Promise<void> {
  for (let start = 0; start < bytes.length; start += sliceBytes) {
    const slice = bytes.subarray(start, start + sliceBytes);
    await handOver(res, (done) => res.write(slice, done), stallMs);
    taken?.(bytes.length - start - slice.length);
  }
}

/** Writes the body of a list that was read as a whole, and gives up its memory as the client takes it. The head is out. */
export async function writeWholeList(
  res: ServerResponse,
  bytes: Buffer,
  memory: ByteHold,
  stallMs = defaultStallMs,
): Promise<void> {
  memory.shrink(bytes.length);
  const lastStart = Math.max(0, bytes.length - sliceBytes);
  await writeSlices(res, bytes.subarray(0, lastStart), stallMs, (leftBytes) => memory.shrink(leftBytes + sliceBytes));
  await handOver(res, (done) => res.end(bytes.subarray(lastStart), done), stallMs);
}

/**
 * Writes a body that is read while it is sent; never more of it is read than the client takes, nor than there is memory for. The
 * head is out. Throws ConnectionEnded, or why a part cannot be read; the reply is not complete then, and must not look so.
 */
export async function writeLarge(
  res: ServerResponse,
  body: LargeBody,
  memory: ByteHold,
  stallMs = defaultStallMs,
): Promise<void> {
  let waiting: (string | Buffer)[] = [];
  let waitingLength = 0;
  const flush = async () => {
    const bytes = Buffer.concat(waiting.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
    waiting = [];
    waitingLength = 0;
    await writeSlices(res, bytes, stallMs);
  };
  const hold = async (bytes: number) => {
    await flush();
    await memory.hold(bytes);
  };
  for await (const part of partsOf(body, { hold })) {
    waiting.push(part);
    waitingLength += part.length;
    if (waitingLength >= sliceBytes) await flush();
  }
  await flush();
  await handOver(res, (done) => res.end(done), stallMs);
}
