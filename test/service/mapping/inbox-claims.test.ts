import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  type ClaimRoom,
  claimDeliveries,
  endFailed,
  endSkipped,
} from '../../../services/features/inbound/delivery-state.ts';
import { createInboxRoom } from '../../../services/features/mapping/inbox-room.ts';
import { provideOwnDatabase } from '../../harness/own-database.ts';

const own = provideOwnDatabase();
const siteId = randomUUID();

beforeAll(async () => {
  await own.db.query(
    `INSERT INTO sites (id, slug, name, default_locale, locales, settings) VALUES ($1, 's', 's', 'en', '[]'::JSONB, '{}'::JSONB)`,
    [siteId],
  );
}, 120_000);

/** Inserts an integration with deliveries of these sizes, oldest first, named by their index. */
async function insertInbox(sizes: readonly number[]): Promise<string> {
  const id = randomUUID();
  await own.db.query(
    `INSERT INTO integrations (id, site_id, slug, name, mapper, enabled, secret) VALUES ($1, $2, $3, 'n', 'create_post', true, 's')`,
    [id, siteId, id],
  );
  for (const [seq, bytes] of sizes.entries()) {
    await own.db.query(
      `INSERT INTO deliveries (integration_id, site_id, delivery_id, seq, status, headers, body_bytes, timeline)
       VALUES ($1, $2, $3, $4, 'queued', '[]'::JSONB, $5, '[]'::JSONB)`,
      [id, siteId, String(seq), seq, bytes],
    );
  }
  return id;
}

const roomy: ClaimRoom = { deliveries: 48, bytes: 1_000_000, isIdle: true, maySuspect: true };

/** Claims as one run of the inbox; returns the names of the claimed deliveries. */
async function claim(integrationId: string, room: Partial<ClaimRoom> = {}, run = randomUUID()) {
  const claimed = await claimDeliveries(own.db, integrationId, run, { ...roomy, ...room });
  return { claimed, names: claimed.map((one) => one.delivery_id) };
}

const succeed = async ({ claimed }: Awaited<ReturnType<typeof claim>>) => {
  for (const one of claimed) await endSkipped(own.db, one, 'unusable');
};

describe('a claim of deliveries', () => {
  // rule: threat.25
  test('is bounded in bytes, and takes one that is larger only when nothing is under way', async () => {
    const inbox = await insertInbox([400, 500, 200, 5000]);
    expect((await claim(inbox, { bytes: 1000 })).names).toEqual(['0', '1']);
    expect((await claim(await insertInbox([5000, 1]), { bytes: 1000, isIdle: false })).names).toEqual([]);
    expect((await claim(await insertInbox([5000, 1]), { bytes: 1000 })).names).toEqual(['0']);
  });

  // rule: threat.25
  test('after a crash takes those that were under way one by one, and what came later after them', async () => {
    const inbox = await insertInbox([1, 1, 1, 1]);
    expect((await claim(inbox, { deliveries: 3 })).names).toEqual(['0', '1', '2']);
    // the worker ends: another run claims its deliveries
    expect((await claim(inbox, { isIdle: false, maySuspect: false })).names).toEqual([]);
    const first = await claim(inbox);
    expect(first.names).toEqual(['0']);
    await succeed(first);
    const guilty = await claim(inbox);
    expect(guilty.names).toEqual(['1']);
    // it ends its worker again, alone: the others were in one crash, it was in two
    const again = await claim(inbox);
    expect(again.claimed.map(({ delivery_id, interruptions }) => [delivery_id, interruptions])).toEqual([['1', 2]]);
    await succeed(again);
    const innocent = await claim(inbox);
    expect(innocent.claimed.map(({ delivery_id, interruptions }) => [delivery_id, interruptions])).toEqual([['2', 1]]);
    await succeed(innocent);
    expect((await claim(inbox)).names).toEqual(['3']);
  });

  test('forgets a crash that an attempt came to its own end after', async () => {
    const inbox = await insertInbox([1, 1]);
    await claim(inbox);
    const [one] = (await claim(inbox)).claimed;
    await endFailed(own.db, one!, { message: 'no', retry: { retryInitialMs: 0, retryAttempts: 6 } });
    expect((await claim(inbox)).claimed.map(({ interruptions }) => interruptions)).toEqual([0]);
  });
});

describe('the inboxes of one worker', () => {
  const turn = () => {
    const running = new Set<Promise<void>>();
    return { track: (work: Promise<void>) => void running.add(work), size: () => running.size };
  };

  test('hold so many bytes together, beside one delivery of each', async () => {
    const room = createInboxRoom(1000);
    const asked: ClaimRoom[] = [];
    const inbox = await insertInbox([800, 800]);
    const first = await room.claim(48, turn(), (within) => {
      asked.push(within);
      return claimDeliveries(own.db, inbox, randomUUID(), within);
    });
    expect(first.claimed).toHaveLength(1);
    const ask = async (within: ClaimRoom) => {
      asked.push(within);
      return [];
    };
    await room.claim(48, turn(), ask);
    first.turnOf(first.claimed[0]!).track(Promise.resolve());
    await new Promise((resolve) => setImmediate(resolve));
    await room.claim(48, turn(), ask);
    expect(asked.map(({ bytes }) => bytes)).toEqual([1000, 200, 1000]);
  });

  test('try one suspect at a time', async () => {
    const room = createInboxRoom();
    const [one, other] = [await insertInbox([1]), await insertInbox([1])];
    await claim(one);
    await claim(other);
    const take = (inbox: string) =>
      room.claim(48, turn(), (within) => claimDeliveries(own.db, inbox, randomUUID(), within));
    const first = await take(one);
    expect([first.claimed.length, first.isHeldBack]).toEqual([1, false]);
    const held = await take(other);
    expect([held.claimed.length, held.isHeldBack]).toEqual([0, true]);
    first.turnOf(first.claimed[0]!).track(Promise.resolve());
    await new Promise((resolve) => setImmediate(resolve));
    expect((await take(other)).claimed).toHaveLength(1);
  });
});
