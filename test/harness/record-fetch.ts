import { recordReply } from './replies.ts';

// Runs before each file of stack tests: every error that `fetch` brings back is kept, whoever asked (`request`, the client, a test
// itself), so that the step `errors` can tell which documented errors no test has seen.
const plainFetch = globalThis.fetch;

globalThis.fetch = async (input, init) => {
  const reply = await plainFetch(input, init);
  const isRequest = typeof input === 'object' && 'url' in input;
  const method = init?.method ?? (isRequest ? input.method : 'GET');
  // what carries no request id is no service of ours: tests run servers of their own too
  const isOurs = reply.headers.has('x-request-id');
  if (isOurs && reply.status >= 400 && reply.headers.get('content-type')?.startsWith('application/json'))
    recordReply(method, isRequest ? input.url : String(input), reply.status, await reply.clone().text());
  return reply;
};
