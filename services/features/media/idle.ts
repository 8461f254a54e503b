import type { Readable } from 'node:stream';
import { type Problem, problem } from '../../core/errors.ts';

/** Chunks of a request; whoever sends nothing for a while is cut off, however long the whole may take. */
export async function* readWhileItComes(stream: Readable, idleMs: number): AsyncGenerator<Buffer> {
  const iterator = stream.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  try {
    for (;;) {
      const next = await within(idleMs, iterator.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    void iterator.return?.(); // lets go of the stream, so that its rest can be drained
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const silence = Promise.withResolvers<never>();
  const timer = setTimeout(() => silence.reject(stoppedComing()), ms);
  try {
    return await Promise.race([work, silence.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function stoppedComing(): Problem {
  return problem('request_timeout', 'The body stopped coming; send it again.', { headers: { Connection: 'close' } });
}
