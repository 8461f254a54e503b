import type { Readable } from 'node:stream';
import { fetchError } from './errors.ts';

/** Returns headers as a record with lower-case names; joins repeated headers by commas. */
export function flattenHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => {
    return [name.toLowerCase(), Array.isArray(value) ? value.join(', ') : (value ?? '')] as const;
  });
  return Object.fromEntries(entries);
}

/**
 * Rejects, before the body is read, a response that announces more than `maxBytes` or is compressed: the request
 * accepts no encoding, and a byte limit must not depend on a decoder. Throws FetchError `too_large` or `bad_response`.
 */
export function checkAnnouncedBody(headers: Record<string, string>, maxBytes: number): void {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity') {
    throw fetchError('bad_response', {
      message: 'The server of the URL sent a compressed response, which was not requested.',
    });
  }
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

/**
 * Yields the body in chunks, at most `maxBytes` in total; closes the connection at the end, on error, and when the
 * reader stops early. Throws FetchError `too_large`, or what `toError` returns for a broken transfer.
 */
export async function* limitBody(
  body: Readable,
  options: { maxBytes: number; toError: (error: unknown) => unknown; close: () => void },
): AsyncGenerator<Uint8Array> {
  let receivedBytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      receivedBytes += chunk.byteLength;
      if (receivedBytes > options.maxBytes) throw tooLarge(options.maxBytes);
      yield chunk;
    }
  } catch (error) {
    throw options.toError(error);
  } finally {
    options.close();
  }
}

function tooLarge(maxBytes: number) {
  return fetchError('too_large', { message: `The response is larger than ${maxBytes} bytes.` });
}
