import type { Db } from '../../core/db.ts';
import type { ObjectStore } from '../../engines/objects/store.ts';
import type { BaseRelease } from '../base-release.ts';
import { finishPages, type KeptPages, storePages } from '../kept-pages.ts';
import type { BuildTask } from '../model.ts';
import { PageFault } from '../page-faults.ts';
import type { FileSources } from '../release-files.ts';
import type { Planned } from '../render/protocol.ts';
import { renderPages } from '../render-pages.ts';
import { openSite, type RenderDeps } from '../render-stale.ts';
import type { BuildWatch } from '../watch.ts';
import { createShardQueue, type DividedPages } from './shard-queue.ts';

/** A large build whose pages several workers render. */
export interface DividedBuild extends DividedPages {
  task: BuildTask;
  sources: FileSources;
  /** All pages of the site. */
  planned: Planned;
  /** Returns the value of a read in this build. */
  readValue(key: string): string;
}

/** Where a worker gets the shards of a build that it renders. */
export interface ShardDesk {
  /** Takes a shard for this worker; null if this worker renders no further shard of the build. */
  take(): Promise<number | null>;
  /** Records the pages of a shard. */
  finish(number: number, pages: KeptPages): Promise<void>;
  /** Records the fault of a page, for the author: the first of the shard. */
  fail(number: number, fault: string): Promise<void>;
}

/** How shards are stored. */
export type ShardDeps = RenderDeps & { db: Db; objects: ObjectStore };

/**
 * Renders the shards that `desk` supplies. Passes the pages of each to `onShard` too, which need not be read again. Ends
 * when `desk` supplies no further one, or after a fault: shards that were taken before and are not recorded must then be
 * rendered again, because one may have an earlier fault.
 */
export async function renderShards(
  deps: ShardDeps,
  build: DividedBuild,
  desk: ShardDesk,
  watch: Pick<BuildWatch, 'check' | 'signal'>,
  { onBatch, onShard }: { onBatch(rendered: number): void; onShard(number: number, pages: BaseRelease): void },
): Promise<void> {
  const { task, sources, pages, readValue } = build;
  const { site } = task.inputs;
  const shards = createShardQueue(build, deps.objects, desk.take);

  async function record(): Promise<void> {
    for (const { number, store } of shards.takeRendered()) {
      const { kept, release } = await storePages(deps, site, await finishPages(store), readValue);
      await desk.finish(number, kept);
      onShard(number, release);
    }
  }

  const { session, pageSources, finish } = openSite(deps, task, sources, watch.signal);
  const sink = {
    onPage(rendered: Parameters<typeof finish>[0], page: Parameters<typeof finish>[1]) {
      const shard = shards.ownerOf(page);
      shard.store.add(finish(rendered, page));
      shard.left--;
    },
    async onBatch(rendered: number) {
      watch.check();
      onBatch(rendered);
      await record();
      for (const { store } of shards.open) await store.flush();
    },
  };
  try {
    await renderPages(session, pages, sources.index, pageSources, sink, shards.queue);
  } catch (error) {
    if (!(error instanceof PageFault)) throw error;
    await desk.fail(shards.ownerOf(error.page).number, error.message);
  } finally {
    session.close();
  }
}
