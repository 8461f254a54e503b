import { isOfRestSurface, recordReply } from './replies.ts';
import { faultsOfReply } from './reply-rules.ts';

// Runs before each file of stack tests. Every reply of the REST surface that `fetch` brings back, whoever asked (`request`, the client,
// a test itself), must keep the conventions of the contract; its errors are kept, so that the step `errors` can tell which documented
// errors no test has seen.
const plainFetch = globalThis.fetch;

globalThis.fetch = async (input, init) => {
  const reply = await plainFetch(input, init);
  const isRequest = typeof input === 'object' && 'url' in input;
  const method = init?.method ?? (isRequest ? input.method : 'GET');
  const url = isRequest ? input.url : String(input);
  // what carries no request id is no service of ours: tests run servers of their own too
  const isOurs = reply.headers.has('x-request-id') && isOfRestSurface(url);
  // a page without a length is read while it is sent, as slowly as its test wants to
  if (!isOurs || (reply.ok && !reply.headers.has('content-length'))) return reply;
  const text = await reply.clone().text();
  recordReply(method, url, reply.status, text);
  const faults = method === 'HEAD' ? [] : faultsOfReply(reply.status, reply.headers, text);
  if (faults.length > 0)
    throw new Error(`${method} ${url}: ${reply.status}, ${faults.join(', ')}\n${text.slice(0, 500)}`);
  return reply;
};
