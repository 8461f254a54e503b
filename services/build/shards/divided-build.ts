import { setTimeout as sleep } from 'node:timers/promises';
import { MissingObject } from '../../engines/objects/store.ts';
import type { BaseRelease } from '../base-release.ts';
import { type KeptPages, type RenderedPages, readKeptPages } from '../kept-pages.ts';
import { ContentFault } from '../model.ts';
import type { WrittenFile } from '../release-tree/manifest-tree.ts';
import type { WrittenReads } from '../release-tree/trace-tree.ts';
import { chunksOf } from '../release-tree/tree.ts';
import { BuildStopped, type BuildWatch } from '../watch.ts';
import { type DividedBuild, renderShards, type ShardDeps, type ShardDesk } from './render-shards.ts';
import { countShards } from './shard-queue.ts';
import { shareBuild } from './shared-build.ts';

/** A shard as SQL has it. */
export interface ShardState {
  number: number;
  /** `free`: nobody renders it, or the worker that took it is lost. */
  state: 'free' | 'taken' | 'done' | 'fault';
  /** Its pages if it is done. */
  pages: KeptPages | null;
  /** The message of its fault. */
  fault: string | null;
}

/** The shards of one build, on the desk of the worker that builds. */
export interface Division extends ShardDesk {
  /** Returns the shards in their order. */
  read(): Promise<ShardState[]>;
  /** Whether other workers may take shards, after `offer`. */
  isShared: boolean;
  /** Lets other workers take shards. `hash` names what they need to know: see `shareBuild`. */
  offer(hash: string): Promise<void>;
  /** Returns the number of shards that other workers have rendered so far. */
  renderedElsewhere(): number;
  /** Frees the shards that this worker has taken and not recorded. */
  giveBack(): Promise<void>;
  /** Withdraws the shards that are not done. */
  close(): Promise<void>;
}

/** How large builds are divided. */
export interface Shards {
  /** Pages per shard. A build with fewer pages than four shards is not divided. */
  pages: number;
  open(shards: number): Promise<Division>;
}

/** Returns whether a build of this number of pages is divided. */
export const isDivided = (pages: number, shards: Shards | undefined): shards is Shards =>
  shards !== undefined && pages >= 4 * shards.pages;

const pollMs = 300;

/** Returns the message of the first fault in the plan, if every shard before it is done. */
function firstFault(states: readonly ShardState[]): string | null {
  const first = states.find(({ state }) => state !== 'done');
  return first?.state === 'fault' ? first.fault : null;
}

/** Returns whether a shard is free that must be rendered: one before the first fault. */
function hasFree(states: readonly ShardState[]): boolean {
  const end = states.findIndex(({ state }) => state === 'fault');
  return (end < 0 ? states : states.slice(0, end)).some(({ state }) => state === 'free');
}

/** Collects the pages of all shards, and the hashes that the release refers to because of them. */
function collect(shards: Iterable<BaseRelease>): RenderedPages {
  const files = new Map<string, WrittenFile>();
  const reads = new Map<string, WrittenReads>();
  const hashes: string[] = [];
  for (const { manifest, trace } of shards) {
    for (const from of chunksOf(manifest.tree)) {
      const file = { from };
      for (const [path, [hash]] of Object.entries(from.files)) {
        files.set(path, file);
        hashes.push(hash);
      }
    }
    for (const from of chunksOf(trace.tree)) {
      const page = { from };
      for (const path of Object.keys(from.pages)) reads.set(path, page);
    }
  }
  return { files, reads, hashes };
}

/**
 * Renders the pages of a large build in shards, together with other workers. Shards of a lost worker are rendered by
 * another. Throws a ContentFault for the first page of the plan with a fault.
 */
export async function renderDivided(
  deps: ShardDeps,
  build: DividedBuild,
  shards: Shards,
  watch: BuildWatch,
): Promise<RenderedPages> {
  const { pages, shardPages } = build;
  const total = pages.length;
  const division = await shards.open(countShards(build));
  const results = new Map<number, BaseRelease>();
  const ended = new AbortController();
  let own = 0;

  const report = (rendered: number) => {
    const done = Math.min(total, own + rendered + division.renderedElsewhere() * shardPages);
    watch.report({ stage: 'render', done, total });
  };

  async function share(): Promise<void> {
    const hash = division.isShared ? await shareBuild(deps.objects, build, ended.signal) : null;
    if (hash !== null) await division.offer(hash);
  }

  /** Renders the shards that are free. */
  async function renderFree(): Promise<void> {
    let latest = 0;
    await renderShards(deps, build, division, watch, {
      onBatch(rendered) {
        latest = rendered;
        report(rendered);
      },
      onShard: (number, rendered) => void results.set(number, rendered),
    });
    own += latest;
    await division.giveBack();
  }

  report(0);
  const sharing = share();
  sharing.catch(() => undefined); // thrown at the end
  try {
    let states: ShardState[];
    for (;;) {
      watch.check();
      states = await division.read();
      // the rows go with the site
      if (states.length < countShards(build)) throw new BuildStopped();
      const fault = firstFault(states);
      if (fault !== null) throw new ContentFault(fault);
      if (hasFree(states)) await renderFree();
      else if (states.some(({ state }) => state !== 'done'))
        await sleep(pollMs, undefined, { signal: watch.signal }).catch(() => undefined); // `check` throws the reason
      else break;
      report(0);
    }
    ended.abort();
    await sharing;
    return collect(await readResults(deps, states, results));
  } finally {
    ended.abort();
    await sharing.catch(() => undefined); // an earlier error is thrown
    await division.close();
  }
}

/** Returns the pages of all shards; reads those that other workers rendered. Throws MissingObject. */
async function readResults(
  { db, objects }: ShardDeps,
  states: readonly ShardState[],
  own: ReadonlyMap<number, BaseRelease>,
): Promise<BaseRelease[]> {
  const results: BaseRelease[] = [];
  for (const { number, pages } of states) {
    const result = own.get(number) ?? (await readKeptPages(db, objects, pages!));
    if (!result) throw new MissingObject(`The pages of shard ${number} are gone.`);
    results.push(result);
  }
  return results;
}
