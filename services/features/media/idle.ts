import type { Readable } from 'node:stream';
import { type Problem, problem } from '../../core/errors.ts';

/**
 * Yields the chunks of a request. Throws `request_timeout` when no data arrives for `idleMs`; the total time is
 * unlimited.
 */
export async function* readWithIdleTimeout(stream: Readable, idleMs: number): AsyncGenerator<Buffer> {
  const iterator = stream.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  let onIdle: (reason: Problem) => void = () => undefined;
  const timer = setTimeout(() => onIdle(idleTimeout()), idleMs);
  try {
    for (;;) {
      timer.refresh(); // the time the reader needs for a chunk does not count as idle
      const next = await new Promise<IteratorResult<Buffer>>((resolve, reject) => {
        onIdle = reject;
        iterator.next().then(resolve, reject);
      });
      if (next.done) return;
      yield next.value;
    }
  } finally {
    clearTimeout(timer);
    void iterator.return?.(); // releases the stream, so that the rest can be drained
  }
}

function idleTimeout(): Problem {
  return problem('request_timeout', 'No data arrived for too long; send the body again.', {
    headers: { Connection: 'close' },
  });
}
