import { isOfRestSurface, recordReply } from './replies.ts';
import { faultsOfReply } from './reply-rules.ts';

// Runs before each file of stack tests. Every response of the REST surface to `fetch`, from any caller (`request`, the
// client, a test itself), must follow the conventions of the contract; its errors are recorded, so that the step
// `errors` can list the documented errors that no test has seen.
const plainFetch = globalThis.fetch;

globalThis.fetch = async (input, init) => {
  const reply = await plainFetch(input, init);
  const isRequest = typeof input === 'object' && 'url' in input;
  const method = init?.method ?? (isRequest ? input.method : 'GET');
  const url = isRequest ? input.url : String(input);
  // responses without a request id are not the service's: tests run servers of their own too
  const isOurs = reply.headers.has('x-request-id') && isOfRestSurface(url);
  // a response without a length is streamed, possibly slowly on purpose
  if (!isOurs || (reply.ok && !reply.headers.has('content-length'))) return reply;
  const text = await reply.clone().text();
  recordReply(method, url, reply.status, text);
  const faults = method === 'HEAD' ? [] : faultsOfReply(reply.status, reply.headers, text);
  if (faults.length > 0)
    throw new Error(`${method} ${url}: ${reply.status}, ${faults.join(', ')}\n${text.slice(0, 500)}`);
  return reply;
};
