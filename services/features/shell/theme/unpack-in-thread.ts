import { fileURLToPath } from 'node:url';
import { Problem, problem } from '../../../core/errors.ts';
import { ThreadFailure, type ThreadPool, type ThreadWork } from '../../../engines/threads/thread-pool.ts';
import { badArchive } from './entry.ts';
import type { ThemeFile } from './unpack.ts';
import type { UnpackOutcome } from './unpack-thread.ts';

const unpacking: ThreadWork = {
  name: 'theme',
  entry: fileURLToPath(new URL('./unpack-thread.ts', import.meta.url)),
  timeoutMs: 60_000,
};

function explain(error: unknown): unknown {
  if (!(error instanceof ThreadFailure)) return error;
  if (error.reason === 'memory') return badArchive('The archive takes too much memory to unpack.');
  const message = 'The archive could not be unpacked in time; try again shortly.';
  return problem('unavailable', message, { retryAfterSeconds: 30, cause: error });
}

/**
 * Runs `unpackTheme` in a thread, because thousands of entries would block the event loop; the queue is fair between
 * keys. `body` must have its own ArrayBuffer and is empty afterwards. All files are in memory when the first is
 * yielded, at most `themeLimits.unpackedBytes`; each is released once it is yielded. Throws 422 that names every
 * invalid entry, and `unavailable` when too many wait.
 */
export async function* unpackInThread(
  threads: Pick<ThreadPool, 'run'>,
  key: string,
  body: Buffer,
): AsyncGenerator<ThemeFile> {
  const outcome = await threads
    .run<UnpackOutcome>(unpacking, key, body, [body.buffer as ArrayBuffer])
    .catch((error: unknown) => {
      throw explain(error);
    });
  if ('details' in outcome) throw new Problem('validation_failed', outcome.message, { details: outcome.details });
  const { files } = outcome;
  files.reverse();
  for (let file = files.pop(); file; file = files.pop()) {
    const { buffer, byteOffset, byteLength } = file.data;
    yield { path: file.path, data: Buffer.from(buffer, byteOffset, byteLength) };
  }
}
