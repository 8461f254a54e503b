import { setImmediate } from 'node:timers/promises';
import { invalid, problem } from '../../core/errors.ts';
import { decodeText, requireStorable } from '../../core/stored-json.ts';

/** No valid request has more: a batch of 100 items with all their tags has 25,000 values, 64 KiB of settings 33,000. */
const maxValues = 35_000;

const [quote, comma, backslash, bracket, brace] = Buffer.from('",\\[{') as unknown as readonly number[];

/**
 * Throws `validation_failed` if the text has more values than any valid request. Parsing 4 MiB of `[[[[` or `0,0,0`
 * would block the event loop for half a second; counting takes a few milliseconds.
 */
export function requireFewValues(bytes: Buffer): void {
  if (bytes.length <= maxValues) return;
  let count = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) isText = !isText;
    else if (isText) at += byte === backslash ? 1 : 0;
    else if (byte === comma || byte === bracket || byte === brace) count++;
  }
  if (count > maxValues) throw invalid([{ path: '', message: `must not contain more than ${maxValues} values` }]);
}

function parseText(text: string, apart: string | undefined): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw problem('malformed_json', 'The body is not valid JSON.', {
      details: [{ path: '', message: 'is not valid JSON' }],
    });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid([{ path: '', message: 'The body must be a JSON object' }]);
  }
  requireStorable(value, apart);
  return value as Record<string, unknown>;
}

/**
 * Parses a JSON object from raw bytes and rejects harmful members and text, except inside the member `apart`. Throws
 * `malformed_json` or `validation_failed`.
 */
export function parseJson(bytes: Buffer, apart?: string): Record<string, unknown> {
  requireFewValues(bytes);
  return parseText(decodeText(bytes), apart);
}

/** Above this size the event loop is yielded between the steps, each of which takes tens of milliseconds for 4 MiB. */
const largeBytes = 256 * 1024;

/**
 * Parses the body of a request like `parseJson`; yields the event loop before, between and after the steps if it is
 * large.
 */
export async function readJson(bytes: Buffer, apart?: string): Promise<Record<string, unknown>> {
  if (bytes.length <= largeBytes) return parseJson(bytes, apart);
  await setImmediate();
  requireFewValues(bytes);
  await setImmediate();
  const text = decodeText(bytes);
  await setImmediate();
  const value = parseText(text, apart);
  await setImmediate();
  return value;
}
