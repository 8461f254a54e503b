import {
  BuildStopped,
  ContentFault,
  openSharedBuild,
  type ProduceDeps,
  renderShards,
  type ShardDesk,
  shardVersion,
} from '../../../build/index.ts';
import type { Logger } from '../../../core/log.ts';
import { inSpan } from '../../../core/tracing.ts';
import { withIds } from '../../../core/work-context.ts';
import { beatMs } from '../attempts.ts';
import { countShard } from '../metrics.ts';
import {
  beatShards,
  failShard,
  finishShard,
  freeShards,
  type OfferedShard,
  selectOfferedShard,
  takeOfferedShard,
} from './sql.ts';

type HelperDeps = Pick<ProduceDeps, 'db' | 'objects' | 'threads' | 'renderer' | 'readBodies'> & { log: Logger };

export interface HelperOptions {
  /** This process. */
  worker: string;
  /** Whether this worker has no time for builds of others. */
  isBusy(): boolean;
}

/** Creates the function that renders shards of other workers' builds. */
export function createShardHelper(deps: HelperDeps, { worker, isBusy }: HelperOptions) {
  const { db, log } = deps;

  /** Takes the next shard; null if no shard is offered, or if the next one belongs to another build than `division`. */
  async function takeNext(division: string | null): Promise<OfferedShard | null> {
    for (;;) {
      if (isBusy()) return null;
      const shard = await selectOfferedShard(db, { worker, version: shardVersion, division });
      if (!shard || (division !== null && shard.division !== division)) return null;
      if (await takeOfferedShard(db, shard, worker)) return shard;
    }
  }

  /** Renders a shard, and further ones of its build while they are next. */
  async function render(first: OfferedShard, signal: AbortSignal): Promise<void> {
    const { division } = first;
    const ended = new AbortController();
    const stopped = AbortSignal.any([signal, ended.signal]);
    const check = () => {
      if (stopped.aborted) throw new BuildStopped();
    };
    let next: OfferedShard | null = first;
    const held = new Set([first.number]);
    async function beat(): Promise<void> {
      const before = [...held];
      const beaten = await beatShards(db, division, worker);
      if (beaten === 0 && before.some((number) => held.has(number))) ended.abort(new BuildStopped());
    }
    // the lease expires while the database is unavailable
    const beating = setInterval(() => void beat().catch(() => undefined), beatMs);
    const desk: ShardDesk = {
      async take() {
        const shard = next ?? (await takeNext(division));
        next = null;
        if (!shard) return null;
        held.add(shard.number);
        return shard.number;
      },
      async finish(number, pages) {
        const isFirst = await finishShard(db, { division, number }, pages);
        held.delete(number);
        if (isFirst) countShard('other');
      },
      async fail(number, fault) {
        await failShard(db, { division, number }, fault);
        held.delete(number);
      },
    };
    try {
      const build = await openSharedBuild(deps, first.inputs_hash, check);
      await renderShards(deps, build, desk, { check, signal: stopped }, { onBatch() {}, onShard() {} });
    } finally {
      clearInterval(beating);
      await freeShards(db, division, worker).catch(() => undefined); // the lease expires
    }
  }

  /**
   * Renders shards of other workers' builds until no shard is offered, this worker is busy, or the signal aborts. A shard
   * that fails because of an engine is left to others.
   */
  return async function help(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const shard = await takeNext(null);
      if (!shard) return;
      const { token, site_id } = shard;
      try {
        await withIds({ build: token }, () => inSpan('shards', {}, () => render(shard, signal)));
      } catch (error) {
        if (error instanceof BuildStopped || signal.aborted) continue;
        // a fault outside of pages is found by the build's own worker too
        if (!(error instanceof ContentFault)) log.warn({ err: error, site_id }, 'a shard failed and is left to others');
      }
    }
  };
}
