import { fileURLToPath } from 'node:url';
import { invalid, problem } from '../../../core/errors.ts';
import { ThreadFailure, type ThreadPool, type ThreadWork } from '../../../engines/threads/thread-pool.ts';
import { forbidInTransaction } from '../../../engines/transaction-guard.ts';
import type { BodyCleaner, GivenBody } from '../../app.ts';
import { cleanBody, toHtml } from './clean.ts';
import type { ThreadedBody } from './clean-thread.ts';

/**
 * Above this total of characters, bodies are cleaned in a thread: cleaning takes up to 1 ms for each kilobyte
 * (docs/decisions/0121), the round trip to a thread a fraction of one.
 */
const threadedChars = 16 * 1024;
/** Rendering Markdown takes several times as long as sanitizing the result. */
const markdownWeight = 4;

const weigh = (given: readonly GivenBody[]) =>
  given.reduce(
    (sum, body) => sum + (typeof body === 'string' ? body.length : body.markdown.length * markdownWeight),
    0,
  );

const cleaning: ThreadWork = {
  name: 'clean',
  entry: fileURLToPath(new URL('./clean-thread.ts', import.meta.url)),
  timeoutMs: 120_000,
};

function explain(error: unknown, given: readonly GivenBody[]): unknown {
  if (!(error instanceof ThreadFailure)) return error;
  const path = given.every((body) => typeof body === 'string') ? 'body_html' : 'body_markdown';
  if (error.reason === 'memory')
    return invalid([{ path, message: 'takes too much memory to clean; send it in parts' }]);
  const message = 'The body could not be cleaned in time; try again shortly.';
  return problem('unavailable', message, { retryAfterSeconds: 30, cause: error });
}

const asBuffer = (html: ThreadedBody['html']) =>
  typeof html === 'string' ? html : Buffer.from(html.buffer, html.byteOffset, html.byteLength);

/** Creates the body cleaner of a process, on the given thread pool. */
export function createBodyCleaner(threads: Pick<ThreadPool, 'run'>): BodyCleaner {
  return {
    async clean(key, given) {
      forbidInTransaction('Sanitizing');
      let sources = given;
      if (weigh(given) <= threadedChars) {
        sources = given.map(toHtml);
        // short Markdown may render to long HTML
        if (weigh(sources) <= threadedChars) return sources.map(cleanBody);
      }
      const bodies = await threads.run<ThreadedBody[]>(cleaning, key, sources).catch((error: unknown) => {
        throw explain(error, given);
      });
      return bodies.map(({ html, ...rest }) => ({ html: asBuffer(html), ...rest }));
    },
  };
}
