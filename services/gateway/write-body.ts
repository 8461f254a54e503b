import type { ServerResponse } from 'node:http';
import type { ByteHold } from '../core/byte-budget.ts';
import type { LargeBody } from '../core/reply.ts';
import { partsOf } from './large-reply.ts';

/** Maximum number of bytes written at once. */
const sliceBytes = 64 * 1024;
/** A client that does not accept one slice in this time is disconnected: other requests wait for the memory. */
const defaultStallMs = 30_000;

/** Thrown when the connection ends before the reply is complete. */
export class ConnectionEnded extends Error {}

/**
 * Runs `write` and waits until the system has accepted the data. Throws ConnectionEnded if the client disconnects or
 * stalls.
 */
async function writeAndDrain(
  res: ServerResponse,
  write: (done: (error?: Error | null) => void) => void,
  stallMs: number,
): Promise<void> {
  if (res.destroyed) throw new ConnectionEnded('The client has disconnected.');
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const end = (why: string) => reject(new ConnectionEnded(why));
  const close = () => end('The client has disconnected.');
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

/** Writes bytes in slices, each after the system has accepted the previous one. */
async function writeSlices(
  res: ServerResponse,
  bytes: Buffer,
  stallMs: number,
  taken?: (leftBytes: number) => void,
): Promise<void> {
  for (let start = 0; start < bytes.length; start += sliceBytes) {
    const slice = bytes.subarray(start, start + sliceBytes);
    await writeAndDrain(res, (done) => res.write(slice, done), stallMs);
    taken?.(bytes.length - start - slice.length);
  }
}

/**
 * Writes the body of a list that was read as a whole, and releases its memory as the client receives it. The head is
 * sent already.
 */
export async function writeWholeList(
  res: ServerResponse,
  bytes: Buffer,
  memory: ByteHold,
  stallMs = defaultStallMs,
): Promise<void> {
  memory.shrink(bytes.length);
  const lastStart = Math.max(0, bytes.length - sliceBytes);
  await writeSlices(res, bytes.subarray(0, lastStart), stallMs, (leftBytes) => memory.shrink(leftBytes + sliceBytes));
  await writeAndDrain(res, (done) => res.end(bytes.subarray(lastStart), done), stallMs);
}

/**
 * Writes a body while reading it; reads no faster than the client receives, and only when memory is available. The head
 * is sent already. Throws ConnectionEnded, or the error of a failed read; the reply is incomplete then and must not
 * look complete.
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
  await writeAndDrain(res, (done) => res.end(done), stallMs);
}
