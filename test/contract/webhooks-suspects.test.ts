import { afterAll, expect, test } from '@jest/globals';
import { replayDelivery } from '../../services/features/inbound/deliveries.ts';
import { closeStack, makeSite, stackDatabase } from '../harness/api.ts';
import { deliver, makeIntegration, waitForDelivery } from '../harness/webhooks.ts';

afterAll(closeStack);

// rule: threat.25
test('a delivery that ended its worker six times is given up with that sentence; those behind it are mapped', async () => {
  const integration = await makeIntegration(await makeSite(), 'create_post');
  const guilty = await deliver(integration, { title: 'Guilty', body_html: '' });
  // as a delivery is after its worker has ended for the sixth time
  await stackDatabase().transaction(async (tx) => {
    await replayDelivery(tx, integration.id, guilty.id);
    await tx.query('UPDATE deliveries SET interruptions = 6 WHERE id = $1', [guilty.id]);
  });
  const innocent = await deliver(integration, { title: 'Innocent', body_html: '' });
  expect(innocent.status).toBe('succeeded');
  expect(await waitForDelivery(integration, guilty.delivery_id)).toMatchObject({
    status: 'failed',
    error: 'The worker ended 6 times while it processed this delivery.',
    next_attempt_at: null,
  });
});
