import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { LRUCache } from 'lru-cache';
import { problem } from '../core/errors.ts';
import type { ObjectStore } from '../engines/objects/store.ts';
import { ThreadFailure, type ThreadPool, type ThreadWork } from '../engines/threads/thread-pool.ts';
import { ContentFault, type ShellInput } from './model.ts';
import readHere, { type LinkText, type RenamedText } from './read-links-thread.ts';

/** Finds and replaces the references in style sheets and scripts of a shell. One text at a time is in memory. */
export interface LinkReader {
  /** Returns the paths of shell files that a file refers to, each once. Throws a ContentFault. */
  findTargets(file: ShellInput): Promise<readonly string[]>;
  /** Returns the file with its references replaced by `names`, by path of the target. Throws a ContentFault. */
  rename(file: ShellInput, names: ReadonlyMap<string, string>): Promise<RenamedText>;
  /** Stores a result of `rename`, in batches of some megabytes. */
  store(data: Uint8Array): Promise<void>;
  /** Stores the last batch. */
  finish(): Promise<void>;
}

export interface LinkReaderDeps {
  objects: Pick<ObjectStore, 'getBytes' | 'putMany'>;
  threads: Pick<ThreadPool, 'run'>;
}

export interface LinkReaderOptions {
  /** Owner of the shell; the queue of the threads is fair between keys. */
  key: string;
  /** Called before each text is read; may throw to stop the build. */
  check(): void;
}

const work: ThreadWork = {
  name: 'shell_links',
  entry: fileURLToPath(new URL('./read-links-thread.ts', import.meta.url)),
  timeoutMs: 60_000,
};
/** Larger texts are read in a thread. A kilobyte takes up to half a millisecond. */
const threadedBytes = 16 * 1024;
const batchBytes = 8 * 1024 * 1024;

/** Limit of the remembered targets, in characters. An unchanged file is not read again to find them. */
const maxKnownCharacters = 4_000_000;
const knownTargets = new LRUCache<string, readonly string[]>({
  maxSize: maxKnownCharacters,
  sizeCalculation: (targets) => targets.reduce((sum, { length }) => sum + length, 100),
});

function explain(path: string, error: unknown): unknown {
  if (!(error instanceof ThreadFailure)) return error;
  if (error.reason === 'memory') return new ContentFault(`${path} takes too much memory to read.`);
  const message = `The machine was too busy to read ${path}; the build is tried again.`;
  return problem('unavailable', message, { retryAfterSeconds: 30, cause: error });
}

/** Creates the reader of one build. Large texts are read in threads, because they would block the event loop for seconds. */
export function createLinkReader({ objects, threads }: LinkReaderDeps, { key, check }: LinkReaderOptions): LinkReader {
  let waiting: Buffer[] = [];
  let waitingBytes = 0;

  async function read<T>({ path, hash }: ShellInput, names?: ReadonlyMap<string, string>): Promise<T> {
    check();
    await setImmediate(); // reads may resolve at once: other work of the event loop runs between two texts
    const data = await objects.getBytes(hash);
    const input: LinkText = names ? { path, data, names } : { path, data };
    if (data.length <= threadedBytes) return (await readHere(input)) as T;
    return threads.run<T>(work, key, input).catch((error: unknown) => {
      throw explain(path, error);
    });
  }

  async function finish(): Promise<void> {
    if (waiting.length === 0) return;
    const batch = waiting;
    waiting = [];
    waitingBytes = 0;
    await objects.putMany(batch);
  }

  return {
    async findTargets(file) {
      // the targets of the same bytes depend on the path
      const name = `${file.hash} ${file.path}`;
      const known = knownTargets.get(name);
      if (known) return known;
      const targets = await read<string[]>(file);
      knownTargets.set(name, targets);
      return targets;
    },
    rename: (file, names) => read<RenamedText>(file, names),
    async store(data) {
      waiting.push(Buffer.from(data.buffer, data.byteOffset, data.byteLength));
      waitingBytes += data.byteLength;
      if (waitingBytes >= batchBytes) await finish();
    },
    finish,
  };
}
