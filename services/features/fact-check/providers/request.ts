import { request } from 'undici';
import { ProviderError } from './provider.ts';

const maxReplyBytes = 1_048_576;

/**
 * Sends one request to the configured service, which the operator trusts and which may be on a private network; follows
 * no redirects. Returns the parsed JSON of a 2xx response; throws ProviderError otherwise.
 */
export async function requestJson(
  url: URL,
  options: { method: 'GET' | 'POST'; headers: Record<string, string>; body?: string; signal: AbortSignal },
): Promise<unknown> {
  const response = await request(url, {
    ...options,
    headers: { accept: 'application/json', ...options.headers },
  }).catch((cause: unknown) => {
    throw new ProviderError(
      options.signal.aborted ? 'The service took too long to respond.' : 'The service could not be reached.',
      cause,
    );
  });
  if (response.statusCode < 200 || response.statusCode > 299) {
    await response.body.dump();
    throw new ProviderError(`The service responded with status ${response.statusCode}.`);
  }
  const chunks: Uint8Array[] = [];
  let receivedBytes = 0;
  try {
    for await (const chunk of response.body) {
      receivedBytes += chunk.byteLength;
      if (receivedBytes > maxReplyBytes) throw new ProviderError('The response of the service is too large.');
      chunks.push(chunk);
    }
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch (cause) {
    if (cause instanceof ProviderError) throw cause;
    throw new ProviderError(
      options.signal.aborted
        ? 'The service took too long to respond.'
        : 'The response of the service could not be read.',
      cause,
    );
  }
}
