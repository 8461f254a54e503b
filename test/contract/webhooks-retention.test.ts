import { afterAll, expect, test } from '@jest/globals';
import { purgeDeliveries } from '../../services/features/inbound/retention.ts';
import { closeStack, makeSite, stackDatabase } from '../harness/api.ts';
import { deliver, makeIntegration, send } from '../harness/webhooks.ts';

afterAll(closeStack);

test('old bodies and headers go, the record stays; what is young or still to be tried is kept', async () => {
  const site = await makeSite();
  const integration = await makeIntegration(site, 'create_post');
  const old = await deliver(integration, { title: 'Old', body_html: 'x'.repeat(300_000) });
  const young = await deliver(integration, { title: 'Young', body_html: '' });
  const waiting = await send(integration, { title: 'Waiting', body_html: '', status: 'scheduled' });
  const db = stackDatabase();
  await db.query("UPDATE deliveries SET received_at = now() - INTERVAL '91 days' WHERE delivery_id = ANY($1::TEXT[])", [
    [old.delivery_id, waiting.deliveryId],
  ]);
  await db.query("UPDATE deliveries SET finished_at = now() - INTERVAL '91 days' WHERE id = $1", [old.id]);
  expect(await purgeDeliveries(db, { deliveryDays: 90 })).toBeGreaterThanOrEqual(1);
  const read = async (id: string) => (await site.request('GET', `/webhooks/${integration.id}/deliveries/${id}`)).data;
  const purged = await read(old.id);
  expect(purged).toMatchObject({
    body: null,
    headers: {},
    body_bytes: old.body_bytes,
    status: 'succeeded',
    result: old.result,
  });
  expect(purged.timeline.at(-1).event).toBe('purged');
  expect((await read(young.id)).body).toBe(young.body);
  const [row] = await db.query<{ body: Buffer }>('SELECT body FROM deliveries WHERE delivery_id = $1', [
    waiting.deliveryId,
  ]);
  expect(row!.body.length).toBeGreaterThan(0);
  expect((await site.request('POST', `/webhooks/${integration.id}/deliveries/${old.id}/replay`)).status).toBe(409);
});
