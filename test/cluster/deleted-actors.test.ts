import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { closeStack, eventually, makeSite, publish, request, stackConfig } from '../harness/api.ts';
import { deliver, makeIntegration } from '../harness/webhooks.ts';

let connection: Connection;
let client: Client;
beforeAll(async () => {
  const { temporalAddress, temporalNamespace } = stackConfig();
  connection = await Connection.connect({ address: temporalAddress });
  client = new Client({ connection, namespace: temporalNamespace });
});
afterAll(async () => {
  await connection.close();
  await closeStack();
});

const statusOf = async (id: string) => (await client.workflow.getHandle(id).describe()).status.name;
const ends = (id: string) => eventually(`${id} ends`, async () => (await statusOf(id)) === 'COMPLETED');

test('the actor of a deleted integration ends', async () => {
  const site = await makeSite();
  const integration = await makeIntegration(site, 'create_post');
  await deliver(integration, { title: 'T', body_html: '' });
  const actor = `integration:${integration.id}`;
  await eventually('it runs', () =>
    statusOf(actor).then(
      () => true,
      () => false,
    ),
  );
  expect(await statusOf(actor)).toBe('RUNNING');
  expect((await site.request('DELETE', `/webhooks/${integration.id}`)).status).toBe(200);
  await ends(actor);
});

test('the actors of a deleted site and of its integrations end', async () => {
  const site = await makeSite();
  const integration = await makeIntegration(site, 'create_post');
  await deliver(integration, { title: 'T', body_html: '' });
  await publish(site);
  const actors = [`site:${site.id}`, `integration:${integration.id}`];
  expect(await Promise.all(actors.map(statusOf))).toEqual(['RUNNING', 'RUNNING']);
  expect((await request('DELETE', `/sites/${site.slug}`, { key: site.key })).status).toBe(200);
  for (const actor of actors) await ends(actor);
});
