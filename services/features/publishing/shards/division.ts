import { randomUUID } from 'node:crypto';
import { BuildStopped, type Division, type Shards, shardVersion } from '../../../build/index.ts';
import type { Db } from '../../../core/db.ts';
import { beatMs } from '../attempts.ts';
import type { Claim } from '../claim.ts';
import { countShard } from '../metrics.ts';
import {
  beatShards,
  countOthersDone,
  failShard,
  finishShard,
  freeShards,
  insertShards,
  offerShards,
  selectShards,
  takeOwnShard,
  withdrawShards,
} from './sql.ts';

export interface DividerOptions {
  /** This process. */
  worker: string;
  /** Pages per shard. */
  pages: number;
  /** Whether there are no other workers. */
  isOnlyWorker: boolean;
}

/** Creates what divides the large builds of this worker. Shards are rows, which survive the worker. */
export function createDivider(db: Db, { worker, pages, isOnlyWorker }: DividerOptions) {
  let openDivisions = 0;

  async function open({ site, target, token }: Claim, isShared: boolean, shards: number): Promise<Division> {
    const division = randomUUID();
    const key = { division, siteId: site.id, target, token, worker };
    if (!(await insertShards(db, key, { shards, version: shardVersion }))) throw new BuildStopped();
    openDivisions++;
    let elsewhere = 0;
    async function beat(): Promise<void> {
      await beatShards(db, division, worker);
      if (isShared) elsewhere = await countOthersDone(db, division, worker);
    }
    // a failure shows in the build's own statements
    const beating = setInterval(() => void beat().catch(() => undefined), beatMs);
    return {
      isShared,
      take: () => takeOwnShard(db, division, worker),
      async finish(number, kept) {
        if (await finishShard(db, { division, number }, kept)) countShard('own');
      },
      fail: (number, fault) => failShard(db, { division, number }, fault),
      read: () => selectShards(db, division),
      offer: (hash) => offerShards(db, division, hash),
      renderedElsewhere: () => elsewhere,
      giveBack: () => freeShards(db, division, worker),
      async close() {
        clearInterval(beating);
        openDivisions--;
        // no worker takes shards of a build that has ended, so it does no harm if the database is unavailable
        await withdrawShards(db, division).catch(() => undefined);
      },
    };
  }

  return {
    /** Returns how a claimed build is divided. One that may end its worker (`alone`) stays in this worker. */
    divide: (claimed: Claim, alone: boolean): Shards => ({
      pages,
      open: (shards) => open(claimed, !isOnlyWorker && !alone, shards),
    }),
    /** Whether a build of this worker is divided now. */
    isDividing: () => openDivisions > 0,
  };
}
