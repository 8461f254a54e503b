import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { closeStack, makeSite, publish, stack, type TestSite } from '../harness/api.ts';
import { type DashboardClient, signInByLink } from '../harness/dashboard.ts';
import { makeMember } from '../harness/people.ts';
import { createItem, writeShell } from '../workflows/helpers.ts';

let site: TestSite;
let client: DashboardClient;
beforeAll(async () => {
  site = await makeSite();
  client = await signInByLink((await makeMember(site.slug, 'editor')).id);
});
afterAll(closeStack);

const changes = async (of = site) => (await client.call('GET', `/sites/${of.slug}/changes`)).data;
const none = { added: 0, updated: 0, removed: 0, listed: [] };

test('before the first publish everything is a change, and after a publish nothing is', async () => {
  const item = await createItem(site, { title: 'First' });
  await createItem(site, { title: 'A draft', status: 'draft' });
  const before = await changes();
  expect(before).toMatchObject({ live_release: null, items: { added: 1, updated: 0, removed: 0 }, site: false });
  expect(before.items.listed).toMatchObject([
    { id: item.id, change: 'added', title: 'First', type: 'post', locale: 'en' },
  ]);
  expect(before.shell).toContain('base.twig');
  const { result } = await publish(site);
  expect(await changes()).toEqual({
    live_release: result.release,
    items: none,
    shell: [],
    components: [],
    redirects: [],
    scripts: [],
    site: false,
  });
});

test('changes name what was added, updated and removed since the live release', async () => {
  const own = await makeSite();
  const member = await makeMember(own.slug, 'viewer');
  const viewer = await signInByLink(member.id);
  const [kept, edited, trashed] = [
    await createItem(own, { title: 'Kept' }),
    await createItem(own, { title: 'Edited' }),
    await createItem(own, { title: 'Trashed' }),
  ];
  await own.request('POST', '/redirects', { from: '/old/', to: '/new/' });
  await publish(own);
  await own.request('PATCH', `/content/${edited.id}`, { title: 'Edited again' });
  await own.request('DELETE', `/content/${trashed.id}`);
  const added = await createItem(own, { title: 'Added' });
  await writeShell(own, 'css/own.css', 'p { margin: 0 }');
  await own.request('PUT', '/components/note', { type: 'html', source_code: '<p>Note</p>' });
  await own.request('POST', '/scripts', { name: 'counter', src: 'https://example.com/count.js' });
  await own.request('PATCH', '', { name: 'Renamed' });
  const { data } = await viewer.call('GET', `/sites/${own.slug}/changes`);
  expect(data).toMatchObject({
    items: { added: 1, updated: 1, removed: 1 },
    shell: ['css/own.css'],
    components: ['note'],
    redirects: [],
    scripts: ['https://example.com/count.js'],
    site: true,
  });
  const listed = data.items.listed.map(({ id, change }: { id: string; change: string }) => [id, change]);
  expect(new Map(listed)).toEqual(
    new Map([
      [added.id, 'added'],
      [edited.id, 'updated'],
      [trashed.id, 'removed'],
    ]),
  );
  expect(listed.map(([id]: [string]) => id)).not.toContain(kept.id);
});

test('two releases are compared by path; one of another site, an unknown one and a preview are 404', async () => {
  const own = await makeSite();
  const editor = await signInByLink((await makeMember(own.slug, 'editor')).id);
  const first = (await publish(own)).result.release;
  await createItem(own, { title: 'Between' });
  const second = (await publish(own)).result.release;
  const compare = (from: string, to: string) =>
    editor.call('GET', `/sites/${own.slug}/releases/${to}/difference/${from}`);
  const { data } = await compare(first, second);
  expect(data.added.listed).toContain('/posts/between/');
  expect(data.added.number).toBe(data.added.listed.length);
  expect(data.changed.listed).toContain('/');
  expect((await compare(second, first)).data.removed).toEqual(data.added);
  const foreign = (await publish(site)).result.release;
  for (const unknown of [foreign, randomUUID(), 'none']) expect((await compare(first, unknown)).status).toBe(404);
});

test('the activity of a site is sent as events while a publish runs, up to its end', async () => {
  const own = await makeSite();
  const editor = await signInByLink((await makeMember(own.slug, 'editor')).id);
  const stop = new AbortController();
  const response = await fetch(`${stack.gateways[0]}/dashboard/api/sites/${own.slug}/activity`, {
    headers: { Cookie: editor.cookie, Accept: 'text/event-stream' },
    signal: stop.signal,
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  const { data: queued } = await editor.call('POST', `/v1/sites/${own.slug}/publish`);
  let text = '';
  const decoder = new TextDecoder();
  for await (const bytes of response.body!) {
    text += decoder.decode(bytes as Uint8Array, { stream: true });
    if (/"status":"succeeded"/.test(text)) break;
  }
  stop.abort();
  const events = [...text.matchAll(/^data: (.+)$/gm)].map(([, json]) => JSON.parse(json!));
  expect(events[0]).toEqual({ live_release: null, jobs: [] });
  const last = events.at(-1);
  expect(last.jobs[0]).toMatchObject({ uuid: queued.job, status: 'succeeded', progress: { stage: 'done' } });
  expect(last.live_release).toBe(last.jobs[0].result.release);
});
