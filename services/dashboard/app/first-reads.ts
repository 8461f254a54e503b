/** Responses to the reads that the page names (`reads` in `app/views.ts`), by URL, until a read takes them. */
const responses = new Map<string, Promise<Response>>();

/** How long a response waits for its read: views that the page has opened read at once. */
const keptMs = 10_000;

/** Takes the responses of the reads that the page names, by their URLs. The browser has sent them while it loaded the program. */
export function startFirstReads(urls: Iterable<string>): void {
  for (const url of urls) {
    const response = fetch(url);
    response.catch(() => undefined); // the read that takes it reports the failure
    responses.set(url, response);
  }
  setTimeout(forgetFirstReads, keptMs);
}

/** Forgets responses that no read has taken: another person may sign in, and a later read must not get an old record. */
export function forgetFirstReads(): void {
  for (const response of responses.values())
    response.then(
      ({ body }) => body?.cancel(),
      () => undefined,
    );
  responses.clear();
}

/** Like `fetch`; the first read of what the page names gets the response that is there. */
export function fetchOnce(request: Request): Promise<Response> {
  const first = request.method === 'GET' ? responses.get(request.url) : undefined;
  if (!first) return fetch(request);
  responses.delete(request.url);
  return first;
}
