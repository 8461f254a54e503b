import type { BuildOrder, BuildOutcome } from '../../../../workflows/contracts/site-actor.ts';
import { Problem } from '../../../core/errors.ts';
import { inSpan } from '../../../core/tracing.ts';
import { withIds } from '../../../core/work-context.ts';
import { MissingObject } from '../../../engines/objects/store.ts';
import type { App } from '../../app.ts';
import { type Claim, type ClaimedSite, claimBuild } from '../claim.ts';
import { readInputs } from '../documents.ts';
import { failBuild, finishBuild, releaseBuild } from '../finish.ts';
import { type BuildCount, countBuild } from '../metrics.ts';
import { siteUrl } from '../paths.ts';
import { previewUrl } from '../preview-token.ts';
import { type BuildWatch, createProgress } from '../progress.ts';
import { createBodyReader, RevisionGone } from './bodies.ts';
import { readPinned, readStored } from './inputs.ts';
import { createItemReader } from './item-cache.ts';
import { refreshMedia, waitForMedia } from './media-progress.ts';
import { ContentFault } from './model.ts';
import { describeOrigin } from './origin.ts';
import { type Produced, produceRelease } from './produce.ts';
import { createReleaseReader } from './release-cache.ts';
import { createRenderer } from './render/renderer.ts';

export interface BuildCall {
  /** Aborted when the actor wants another build instead. */
  signal: AbortSignal;
  /** Counted from 1: how often this build was begun. */
  attempt: number;
}

export interface Builder {
  /** Builds what waits for this target. Throws when an engine is away; the caller tries again. */
  build(order: BuildOrder, call: BuildCall): Promise<{ result: BuildOutcome['result'] | 'cancelled' }>;
  close(): Promise<void>;
}

/** The build was told to stop, or another build took its place. */
class BuildStopped extends Error {}

const rendererProcesses = 2;
const ownershipIntervalMs = 500;
/** A build that fails this often for a reason that nobody foresaw is given up, so that its jobs do not hang. */
const maxAttempts = 4;

const namedJobs = 10;

/** For logs: the jobs that a build serves, a few of them where a burst has many. */
const namesOf = ({ jobs }: Claim) => ({ jobs: jobs.slice(0, namedJobs).map(({ id }) => id), job_count: jobs.length });

function isTransient(error: unknown): boolean {
  return error instanceof Problem || error instanceof MissingObject || error instanceof RevisionGone;
}

/** Makes builds: claims a site's jobs, produces a release and swaps it in. */
export function createBuilder({ db, objects, config, log }: Pick<App, 'db' | 'objects' | 'config' | 'log'>): Builder {
  const renderer = createRenderer(rendererProcesses);
  const items = createItemReader();
  const releases = createReleaseReader(db, objects);
  const readBodies = createBodyReader(db, objects);

  async function claim({ siteId, target }: BuildOrder): Promise<Claim | null> {
    return claimBuild(db, siteId, target, async (tx, site, { pinned, newShell }) => {
      if (!pinned) return readStored(tx, site, items);
      const live = site.live_release ? await readInputs(tx, objects, site.live_release) : null;
      return readPinned(tx, site, items, live, newShell);
    });
  }

  /** The releases that pages may come from: first the one that is replaced. */
  async function readBases(site: ClaimedSite, target: BuildOrder['target']) {
    const ids =
      target === 'live' ? [site.live_release, site.preview_release] : [site.preview_release, site.live_release];
    const found = await Promise.all([...new Set(ids)].map((id) => (id ? releases.read(id) : null)));
    return found.filter((release) => release !== null);
  }

  /** Watches whether this build may go on: not cancelled, and still the one that may swap. */
  function watchBuild(claimed: Claim, signal: AbortSignal): BuildWatch & { stop(): Promise<unknown> } {
    const progress = createProgress(db, claimed.site.id, claimed.token);
    let lost = false;
    const timer = setInterval(() => {
      db.query<{ build_token: string | null }>('SELECT build_token FROM sites WHERE id = $1', [claimed.site.id]).then(
        ([row]) => {
          lost ||= row?.build_token !== claimed.token;
        },
        () => undefined, // an engine that is away shows in the build's own work
      );
    }, ownershipIntervalMs);
    return {
      report: progress.report,
      check() {
        if (lost || signal.aborted) throw new BuildStopped();
      },
      stop() {
        clearInterval(timer);
        return progress.settle();
      },
    };
  }

  /** Waits a little for images that pages show and that are not ready; true when there is something new to show. */
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

  async function produce(claimed: Claim, signal: AbortSignal): Promise<Produced> {
    const watch = watchBuild(claimed, signal);
    try {
      const bases = await readBases(claimed.site, claimed.target);
      const deps = { db, objects, renderer, readBodies };
      const url = siteUrl(claimed.inputs.site, config);
      const first = await produceRelease(deps, claimed, bases, url, watch);
      if (!(await hasNewVariants(claimed, first, watch))) return first;
      const second = await produceRelease(deps, claimed, [...bases, first.base], url, watch);
      second.release.hashes = [...new Set([...first.release.hashes, ...second.release.hashes])];
      return second;
    } finally {
      await watch.stop();
    }
  }

  async function swap(claimed: Claim, { release, base, reasons }: Produced) {
    if (claimed.target === 'preview') release.url = previewUrl(config, claimed.site.id, release.id).url;
    const swapped = await inSpan('swap', {}, () => finishBuild(db, objects, claimed, release));
    if (!swapped) return { result: 'lost' as const };
    releases.remember(base);
    const { id, pages, changed } = release;
    const { slug: site } = claimed.site;
    log.info(
      { site, target: claimed.target, release: id, pages, changed, reasons, ...namesOf(claimed) },
      'release made',
    );
    return { result: 'succeeded' as const };
  }

  async function settle(claimed: Claim, error: unknown, { signal, attempt }: BuildCall) {
    if (error instanceof BuildStopped) {
      await releaseBuild(db, claimed);
      return { result: signal.aborted ? ('cancelled' as const) : ('lost' as const) };
    }
    if (error instanceof ContentFault) {
      const { site, target } = claimed;
      log.info({ site: site.slug, target, fault: error.message, ...namesOf(claimed) }, 'build failed');
      return { result: (await failBuild(db, claimed, error.message)) ? ('failed' as const) : ('lost' as const) };
    }
    if (isTransient(error) || attempt < maxAttempts) throw error;
    log.error({ err: error, site: claimed.site.slug, ...namesOf(claimed) }, 'build given up');
    await failBuild(db, claimed, 'The build failed for a reason inside the service; its log says more.');
    return { result: 'failed' as const };
  }

  return {
    async build(order, call) {
      const startedAt = performance.now();
      const claimed = await claim(order);
      if (!claimed) return { result: 'nothing' };
      const { span, requestId } = describeOrigin(claimed.jobs);
      let pages: Produced['pages'] | undefined;
      let result: BuildCount['result'] = 'error';
      const run = async () => {
        try {
          const produced = await inSpan('produce', {}, () => produce(claimed, call.signal));
          pages = produced.pages;
          return await swap(claimed, produced);
        } catch (error) {
          return await settle(claimed, error, call);
        }
      };
      try {
        const outcome = await withIds({ build: claimed.token, ...requestId }, () =>
          inSpan(`build ${claimed.target}`, span, run),
        );
        result = outcome.result;
        return outcome;
      } finally {
        const kinds = claimed.jobs.map(({ kind }) => kind);
        countBuild({ target: claimed.target, result, elapsedMs: performance.now() - startedAt, kinds, pages });
      }
    },
    close: () => renderer.close(),
  };
}
