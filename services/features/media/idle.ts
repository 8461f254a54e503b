import type { Readable } from 'node:stream';
import { type Problem, problem } from '../../core/errors.ts';

/**
 * Yields the chunks of a request. Throws `request_timeout` when no data arrives for `idleMs`; the total time is
 * unlimited.
 */
export async function* readWhileItComes(stream: Readable, idleMs: number): AsyncGenerator<Buffer> {
  const iterator = stream.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  let giveUp: (reason: Problem) => void = () => undefined;
  const timer = setTimeout(() => giveUp(stoppedComing()), idleMs);
  try {
    for (;;) {
      timer.refresh(); // the time the reader needs for a chunk does not count as idle
      const next = await new Promise<IteratorResult<Buffer>>((resolve, reject) => {
        giveUp = reject;
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

function stoppedComing(): Problem {
  return problem('request_timeout', 'The body stopped coming; send it again.', { headers: { Connection: 'close' } });
}
