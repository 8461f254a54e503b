import type { Readable } from 'node:stream';
import { type Problem, problem } from '../../core/errors.ts';

/** Chunks of a request; whoever sends nothing for a while is cut off, however long the whole may take. */
export async function* readWhileItComes(stream: Readable, idleMs: number): AsyncGenerator<Buffer> {
  const iterator = stream.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  let giveUp: (reason: Problem) => void = () => undefined;
  const timer = setTimeout(() => giveUp(stoppedComing()), idleMs);
  try {
    for (;;) {
      timer.refresh(); // what the reader takes to digest a chunk is not the sender's silence
      const next = await new Promise<IteratorResult<Buffer>>((resolve, reject) => {
        giveUp = reject;
        iterator.next().then(resolve, reject);
      });
      if (next.done) return;
      yield next.value;
    }
  } finally {
    clearTimeout(timer);
    void iterator.return?.(); // lets go of the stream, so that its rest can be drained
  }
}

function stoppedComing(): Problem {
  return problem('request_timeout', 'The body stopped coming; send it again.', { headers: { Connection: 'close' } });
}
