import { fileURLToPath } from 'node:url';
import { type PageWhy, type ReadBytes, readDocument, type TraceChunk } from '../../build/format.ts';
import type { Db } from '../../core/db.ts';
import { notFound } from '../../core/errors.ts';
import type { ThreadPool, ThreadWork } from '../../engines/threads/thread-pool.ts';
import findInTrace, { type FoundWhy } from './why-thread.ts';

/** Larger traces are parsed in a thread. The trace of a few hundred pages takes a few milliseconds. */
const threadedBytes = 512 * 1024;
const finding: ThreadWork = {
  name: 'trace',
  entry: fileURLToPath(new URL('./why-thread.ts', import.meta.url)),
  timeoutMs: 30_000,
};

interface WhyDeps {
  db: Db;
  objects: ReadBytes;
  /** Without threads, as in a command, the calling thread parses the trace. */
  threads?: Pick<ThreadPool, 'run'>;
}

/**
 * Returns why the page of a release at `path` (from the site's root, percent-decoded, as in `/posts/hello/`) differs from the replaced
 * release, and whether the build rendered or reused it. Throws `not_found` for a release of another site, a preview and a path without
 * a page.
 */
export async function explainPage(
  { db, objects, threads }: WhyDeps,
  siteId: string,
  releaseId: string,
  path: string,
): Promise<PageWhy> {
  const [release] = await db.query<{ trace_hash: string }>(
    'SELECT trace_hash FROM releases WHERE id = $1 AND site_id = $2 AND preview = false',
    [releaseId, siteId],
  );
  if (!release) throw notFound('release');
  const bytes = await objects.getBytes(release.trace_hash);
  const input = { bytes, path };
  const isLarge = threads !== undefined && bytes.length > threadedBytes;
  const found = isLarge ? await threads.run<FoundWhy | null>(finding, siteId, input) : findInTrace(input);
  const chunk = found?.chunk ? await readDocument<TraceChunk>(objects, found.chunk) : null;
  if (!found || (chunk && !Object.hasOwn(chunk.pages, path))) throw notFound('page');
  return found.why;
}
