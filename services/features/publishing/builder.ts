import { randomUUID } from 'node:crypto';
import type { ItemPreview, ItemPreviewInput } from '../../../workflows/contracts/item-preview.ts';
import type { ShellPreview, ShellPreviewInput } from '../../../workflows/contracts/shell-preview.ts';
import type { BuildInput, BuildOutcome } from '../../../workflows/contracts/site-actor.ts';
import {
  type BaseRelease,
  type BuildTask,
  type BuildWatch,
  createBodyReader,
  createItemReader,
  createRenderer,
  type Produced,
  produceRelease,
  readKeptPages,
  readPinned,
  readStored,
  refreshMedia,
  waitForMedia,
} from '../../build/index.ts';
import { inParallel } from '../../core/in-parallel.ts';
import { previewUrl } from '../../core/preview-token.ts';
import { siteUrl } from '../../core/public-paths.ts';
import { inSpan } from '../../core/tracing.ts';
import { withIds } from '../../core/work-context.ts';
import { mayWriteChunks } from '../../engines/edges/registry.ts';
import { withHeldObjects } from '../../engines/objects/held-objects.ts';
import type { App } from '../app.ts';
import { type AttemptOwner, excuseAttempts, judgeAttempts, selectKeptPages } from './attempts.ts';
import { type Claim, type ClaimOutcome, claimBuild, replacedRelease } from './claim.ts';
import { createSettler } from './end-build.ts';
import { finishBuild } from './finish.ts';
import { type BuildCount, countBuild } from './metrics.ts';
import { describeJobs, describeOrigin } from './origin.ts';
import { createItemPreviewer } from './preview-item.ts';
import { createShellPreviewer } from './preview-shell.ts';
import { createReleaseReader } from './release-cache.ts';
import { readInputs } from './release-inputs.ts';
import { createDivider } from './shards/division.ts';
import { createShardHelper } from './shards/helper.ts';
import { selectDoneShards } from './shards/sql.ts';
import { watchBuild } from './watch-build.ts';

export interface BuildCall {
  /** Aborted when the actor wants another build instead. */
  signal: AbortSignal;
  /** Number of this attempt, from 1. */
  attempt: number;
}

export interface Builder {
  /** Builds what waits for this target. Throws when an engine is unavailable; the caller retries. */
  build(order: BuildInput, call: BuildCall): Promise<{ result: BuildOutcome['result'] | 'cancelled' }>;
  /** Renders one item for a preview link; see `createItemPreviewer`. */
  previewItem(input: ItemPreviewInput, signal: AbortSignal): Promise<ItemPreview>;
  /** Renders the stored site with another theme for a preview link; see `createShellPreviewer`. */
  previewShell(input: ShellPreviewInput, signal: AbortSignal): Promise<ShellPreview>;
  /** Renders shards of other workers' large builds, if any are offered; returns when that has ended. */
  help(): Promise<void>;
  /** Announces that the worker is stopping: from now on the end of its builds is not their fault. */
  stopping(): Promise<void>;
  close(): Promise<void>;
}

/** What a builder needs from its process. */
export type BuilderApp = Pick<App, 'db' | 'objects' | 'edges' | 'config' | 'log' | 'bodies' | 'fieldChecks'> & {
  threads: Pick<App['threads'], 'run'>;
};

/** Creates the builder: it claims a site's jobs, produces a release and swaps it in. */
export function createBuilder(app: BuilderApp): Builder {
  const { db, objects, edges, threads, config, log } = app;
  const renderer = createRenderer();
  const items = createItemReader();
  const releases = createReleaseReader(db, objects);
  const readBodies = createBodyReader(db, objects);
  const { settle, settleUnbegun } = createSettler({ db, log, config });
  const { buildTimeLimitMs: timeLimitMs } = config;
  const owner: AttemptOwner = { worker: randomUUID(), isOnlyWorker: config.actors.engine === 'embedded', timeLimitMs };
  const parts = { renderer, items, releases, readBodies };
  const previewItem = createItemPreviewer(app, parts);
  const previewShell = createShellPreviewer(app, parts);
  const stopped = new AbortController();
  const divider = createDivider(db, { ...owner, pages: config.shardPages });
  const helper = createShardHelper(
    { db, objects, threads, renderer, readBodies, log },
    { worker: owner.worker, isBusy: divider.isDividing },
  );
  let helping: Promise<void> | null = null;

  async function claim(order: BuildInput, signal: AbortSignal): Promise<ClaimOutcome> {
    await judgeAttempts(db, order, owner, { signal });
    const worker = () => (stopped.signal.aborted ? null : owner.worker);
    return withHeldObjects(objects, (held) =>
      claimBuild(db, order, worker, async (tx, site, { pinned, newShell }) => {
        if (!pinned) return readStored(tx, site, items);
        const live = site.live_release ? await readInputs(tx, held, site.live_release) : null;
        return readPinned(tx, site, items, live, newShell);
      }),
    );
  }

  /** Reads the releases that pages may be reused from: the replaced one first, the pages of a timed-out build last. */
  async function readBases({ site, target }: Claim) {
    const { live_release: live, preview_release: preview } = site;
    const ids = target === 'live' ? [live, preview] : [preview, live];
    const found = await Promise.all([...new Set(ids)].map((id) => (id ? releases.read(id) : null)));
    const kept = await selectKeptPages(db, site.id, target);
    const parts = [...(kept ? [kept] : []), ...(await selectDoneShards(db, site.id, target))];
    const unfinished = await inParallel(parts, 4, (part) => readKeptPages(db, objects, part));
    return [...found, ...unfinished].filter((release) => release !== null);
  }

  /** Waits briefly for images on the pages that are not ready; returns true when the media may have changed. */
  async function hasNewVariants({ inputs }: Claim, { release }: Produced, watch: BuildWatch): Promise<boolean> {
    const { awaitedMedia } = release;
    if (awaitedMedia.length === 0) return false;
    const onTurn = () => {
      watch.check();
      watch.report({ stage: 'media', done: 0, total: awaitedMedia.length });
    };
    if (!(await waitForMedia(db, awaitedMedia, config.mediaWaitMs, onTurn))) return false;
    inputs.media = await refreshMedia(db, inputs.media);
    return true;
  }

  async function produce(
    claimed: Claim,
    { signal, alone }: { signal: AbortSignal; alone: boolean },
  ): Promise<Produced> {
    const watch = watchBuild(db, claimed, { signal, timeLimitMs, beats: !owner.isOnlyWorker });
    try {
      const bases = await readBases(claimed);
      const writesChunks = () => mayWriteChunks(db);
      const shards = divider.divide(claimed, alone);
      const deps = { db, objects, threads, renderer, readBodies, writesChunks, lost: releases.lost, shards };
      const url = siteUrl(claimed.inputs.site, config);
      const { target, inputs } = claimed;
      const task: BuildTask = { target, inputs, replaces: replacedRelease(claimed) };
      const first = await produceRelease(deps, task, bases, url, watch);
      if (!(await hasNewVariants(claimed, first, watch))) return first;
      const firstPass: BaseRelease = { ...first.base, isSameBuild: true };
      const second = await produceRelease(deps, task, [...bases, firstPass], url, watch);
      second.release.hashes = [...new Set([...first.release.hashes, ...second.release.hashes])];
      return second;
    } finally {
      await watch.stop();
    }
  }

  async function swap(claimed: Claim, { release, base, reasons, pages: made }: Produced) {
    if (claimed.target === 'preview') release.url = previewUrl(config, claimed.site.id, release.id).url;
    const swapped = await inSpan('swap', {}, () => finishBuild({ db, objects, edges }, claimed, release));
    if (!swapped) return { result: 'lost' as const };
    releases.remember(base);
    const { id, pages, changed } = release;
    const { slug: site } = claimed.site;
    log.info(
      { site, target: claimed.target, release: id, pages, changed, ...made, reasons, ...describeJobs(claimed.jobs) },
      'release made',
    );
    return { result: 'succeeded' as const };
  }

  async function run(claimed: Claim, call: BuildCall & { alone: boolean }) {
    const startedAt = performance.now();
    const { span, requestId } = describeOrigin(claimed.jobs);
    let pages: Produced['pages'] | undefined;
    let result: BuildCount['result'] = 'error';
    const work = async () => {
      try {
        const produced = await inSpan('produce', {}, () => produce(claimed, call));
        pages = produced.pages;
        return await swap(claimed, produced);
      } catch (error) {
        return await settle(claimed, error, call);
      }
    };
    try {
      const ids = { build: claimed.token, ...requestId };
      const outcome = await withIds(ids, () => inSpan(`build ${claimed.target}`, span, work));
      result = 'timedOut' in outcome ? 'timeout' : outcome.result;
      return { result: outcome.result };
    } finally {
      const kinds = claimed.jobs.map(({ kind }) => kind);
      countBuild({ target: claimed.target, result, elapsedMs: performance.now() - startedAt, kinds, pages });
    }
  }

  return {
    async build(order, call) {
      let outcome: ClaimOutcome;
      try {
        outcome = await claim(order, call.signal);
      } catch (error) {
        if (call.signal.aborted) return { result: 'cancelled' };
        return settleUnbegun(order, error);
      }
      if (outcome.kind === 'claimed') return run(outcome.claim, { ...call, alone: order.alone === true });
      if (outcome.kind === 'nothing') return { result: 'nothing' };
      if (outcome.kind === 'apart') return { result: 'lost' };
      const { siteId, target } = order;
      log.error({ site_id: siteId, target, ...describeJobs(outcome.jobs) }, 'builds ended their worker too often');
      const kinds = outcome.jobs.map(({ kind }) => kind);
      countBuild({ target, result: 'failed', elapsedMs: 0, kinds });
      return { result: 'failed' };
    },
    previewItem,
    previewShell,
    help() {
      helping ??= helper(stopped.signal).finally(() => {
        helping = null;
      });
      return helping;
    },
    async stopping() {
      stopped.abort();
      await excuseAttempts(db, owner.worker);
    },
    async close() {
      stopped.abort();
      await helping?.catch(() => undefined); // the caller of `help` handles the error
      await renderer.close();
    },
  };
}
