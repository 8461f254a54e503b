import { randomBytes } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import type { Db } from '../../services/core/db.ts';
import { createCipher } from '../../services/core/secrets.ts';
import { purgeEvents } from '../../services/features/events/events-sql.ts';
import { endpointSecrets } from '../../services/features/events/secrets.ts';
import { integrationSecrets } from '../../services/features/integrations/secrets.ts';
import { closeStack, makeSite, stackConfig, stackDatabase } from '../harness/api.ts';
import { makeEndpoint, readEvent, sendTest, startReceiver, waitForEvent } from '../harness/events.ts';
import { makeIntegration } from '../harness/webhooks.ts';

afterAll(closeStack);

test('old payloads go, the record stays; what is young or still to be sent is kept', async () => {
  let status = 204;
  const receiver = await startReceiver(() => ({ status }));
  const site = await makeSite();
  const { id } = await makeEndpoint(site, receiver.url);
  const old = await waitForEvent(site, (await sendTest(site, id)).id);
  const young = await waitForEvent(site, (await sendTest(site, id)).id);
  status = 500;
  const waiting = await sendTest(site, id);
  const db = stackDatabase();
  await db.query("UPDATE events SET created_at = now() - INTERVAL '91 days' WHERE id = ANY($1::UUID[])", [
    [old.id, waiting.id],
  ]);
  await db.query("UPDATE events SET finished_at = now() - INTERVAL '91 days' WHERE id = $1", [old.id]);
  expect(await purgeEvents(db, { deliveryDays: 90 })).toBeGreaterThanOrEqual(1);
  expect(await readEvent(site, old.id)).toMatchObject({ payload: null, status: 'delivered', log: old.log });
  expect((await readEvent(site, young.id)).payload).toEqual(young.payload);
  expect((await readEvent(site, waiting.id)).payload).not.toBeNull();
  expect((await site.request('POST', `/events/${old.id}/replay`)).status).toBe(409);
  await receiver.close();
});

class RolledBack extends Error {}

/** Runs `work` in a transaction that is rolled back. */
async function withoutTrace(work: (tx: Db) => Promise<void>): Promise<void> {
  const running = stackDatabase().transaction(async (tx) => {
    await work(tx);
    throw new RolledBack();
  });
  await expect(running).rejects.toBeInstanceOf(RolledBack);
}

test('secrets rekey brings every secret under the first key, so that the others can be taken out', async () => {
  const site = await makeSite();
  const integration = await makeIntegration(site, 'create_post');
  const endpoint = await makeEndpoint(site, 'https://hooks.example.org/');
  const rotated = (await site.request('POST', `/event-endpoints/${endpoint.id}/rotate`)).data.secret;
  const fresh = randomBytes(32);
  const both = createCipher([fresh, ...stackConfig().secretKeys]);
  const alone = createCipher([fresh]);
  await withoutTrace(async (tx) => {
    await integrationSecrets.rekey(tx, both);
    expect(await endpointSecrets.rekey(tx, both)).toBeGreaterThanOrEqual(1);
    expect([await integrationSecrets.rekey(tx, both), await endpointSecrets.rekey(tx, both)]).toEqual([0, 0]);
    const columns = 'id, secret, previous_secret';
    const [sender] = await tx.query<{ id: string; secret: string }>(
      `SELECT ${columns} FROM integrations WHERE id = $1`,
      [integration.id],
    );
    expect(integrationSecrets.open(alone, sender!)).toBe(integration.secret);
    const [row] = await tx.query<{ id: string; secret: string; previous_secret: string }>(
      `SELECT ${columns} FROM event_endpoints WHERE id = $1`,
      [endpoint.id],
    );
    expect(endpointSecrets.open(alone, row!)).toBe(rotated);
    expect(endpointSecrets.open(alone, { id: row!.id, secret: row!.previous_secret })).toBe(endpoint.secret);
  });
});

test.each([
  ['integrations', integrationSecrets],
  ['event_endpoints', endpointSecrets],
] as const)(
  'a secret of %s that nobody can read is counted, and so is the one before while it is valid',
  async (table, secrets) => {
    const site = await makeSite();
    const { id } = await (table === 'integrations'
      ? makeIntegration(site, 'create_post')
      : makeEndpoint(site, 'https://hooks.example.org/'));
    const own = createCipher(stackConfig().secretKeys);
    const lost = secrets.seal(createCipher([randomBytes(32)]), id, 'whsec_lost');
    await withoutTrace(async (tx) => {
      const count = async () => (await secrets.countUnreadable(tx, own)).unreadable;
      const before = await count();
      await tx.query(
        `UPDATE ${table} SET previous_secret = $2, previous_until = now() + INTERVAL '1 hour' WHERE id = $1`,
        [id, lost],
      );
      expect(await count()).toBe(before + 1);
      await tx.query(`UPDATE ${table} SET previous_until = now() - INTERVAL '1 hour' WHERE id = $1`, [id]);
      expect(await count()).toBe(before);
      // rekeying drops it
      expect(await secrets.rekey(tx, own)).toBe(1);
      expect(await secrets.rekey(tx, own)).toBe(0);
      await tx.query(`UPDATE ${table} SET secret = $2 WHERE id = $1`, [id, lost]);
      expect(await count()).toBe(before + 1);
    });
  },
);
