import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { membersOf, nameMemberOf, takesFields } from '../../services/core/fields.ts';
import { routes } from '../../services/gateway/routes.ts';
import { closeStack, makeSite, publish, request, type TestSite } from '../harness/api.ts';
import { upload } from '../harness/media.ts';
import { deliver, makeIntegration } from '../harness/webhooks.ts';

let site: TestSite;
/** Values for the parameters of a path. */
const paths = new Map<string, string>();

const create = async (path: string, body: unknown) => {
  const { status, data, text } = await site.request('POST', path, body);
  if (status >= 300) throw new Error(`${path}: ${status} ${text}`);
  return data;
};

/** Creates one record of everything that a GET returns. */
beforeAll(async () => {
  site = await makeSite();
  const { rev } = await create('/shell/snapshot', undefined);
  await site.request('PUT', '/shell/file/new.css', undefined, { raw: 'a{}' });
  const item = await create('/content', { title: 'Kept', body_html: '<p>Kept</p>' });
  await site.request('PUT', `/content/${item.id}/draft`, { title: 'Pending' });
  const trashed = await create('/content', { title: 'Trashed', body_html: '<p>Trashed</p>' });
  await site.request('DELETE', `/content/${trashed.id}`);
  const media = (await upload(site, Buffer.from('kept'), { fields: {} })).data;
  await create('/content', { title: 'With an image', featured_media_id: media.id });
  await site.request('DELETE', `/media/${(await upload(site, Buffer.from('trashed'), { fields: {} })).data.id}`);
  await site.request('PUT', '/components/note', { type: 'html', source_code: 'Note', css: 'a{}' });
  await site.request('PUT', '/types/hike', { name: 'Hike', fields_schema: { km: { type: 'number' } } });
  await create('/redirects', { from: '/a', to: '/b' });
  await create('/scripts', { name: 'one', code: '1' });
  const integration = await makeIntegration(site, 'create_post');
  await deliver(integration, '{');
  const deliveries = `/sites/:site/webhooks/${integration.id}/deliveries`;
  const delivery = (await request('GET', deliveries.replace(':site', site.slug), { key: site.key })).data[0];
  const endpoint = await create('/event-endpoints', { url: 'https://events.example/a', events: ['site.published'] });
  const event = await create(`/event-endpoints/${endpoint.id}/test`, undefined);
  const job = await publish(site);
  for (const [pattern, path] of [
    ['/content/:id', `/content/${item.id}`],
    ['/content/:id/revisions', `/content/${item.id}/revisions`],
    ['/content/:id/revisions/:rev', `/content/${item.id}/revisions/1`],
    ['/content/:id/draft', `/content/${item.id}/draft`],
    ['/media/:id', `/media/${media.id}`],
    ['/media/:id/usage', `/media/${media.id}/usage`],
    ['/components/:handle', '/components/note'],
    ['/types/:type', '/types/hike'],
    ['/webhooks/:id/deliveries', `/webhooks/${integration.id}/deliveries`],
    ['/webhooks/:id/deliveries/:delivery', `/webhooks/${integration.id}/deliveries/${delivery.id}`],
    ['/event-endpoints/:id', `/event-endpoints/${endpoint.id}`],
    ['/events/:id', `/events/${event.id}`],
    ['/shell/diff', `/shell/diff?from=${rev}`],
    ['/releases/:release', `/releases/${job.result.release}`],
    ['/releases/:release/why', `/releases/${job.result.release}/why?path=/`],
  ] as const)
    paths.set(`/sites/:site${pattern}`, `/sites/${site.slug}${path}`);
  paths.set('/jobs/:uuid', `/jobs/${job.uuid}`);
  paths.set('/audit', `/audit?site=${site.slug}`); // the log of other sites changes while other tests run
}, 180_000);
afterAll(closeStack);

const read = (pattern: string, fields?: string) => {
  const path = paths.get(pattern) ?? pattern.replace(':site', site.slug);
  const query = fields === undefined ? '' : `${path.includes('?') ? '&' : '?'}fields=${encodeURIComponent(fields)}`;
  return request('GET', path + query, { key: site.key });
};

const readers = routes
  .filter(takesFields)
  .map(({ path, reply }) => [path, membersOf(reply.schema), reply.list ?? false] as const);

describe.each(readers)('GET %s', (path, members, isList) => {
  // rule: beyond.1
  test('shows the members that are asked for as it shows them otherwise, and its name', async () => {
    const whole = await read(path);
    expect(whole.status).toBe(200);
    const list: Record<string, unknown>[] = Array.isArray(whole.data) ? whole.data : [whole.data];
    expect(list.length).toBeGreaterThan(0);
    const name = nameMemberOf(members);
    for (const asked of members) {
      const { status, data, headers } = await read(path, asked);
      expect([asked, status]).toEqual([asked, 200]);
      const parts: Record<string, unknown>[] = Array.isArray(data) ? data : [data];
      expect(parts).toHaveLength(list.length);
      // changes while other tests run, or with time
      if (path === '/sites' || path === '/sites/:site/shell/preview') continue;
      const shown = list.map((record) =>
        Object.fromEntries(Object.entries(record).filter(([member]) => member === asked || member === name)),
      );
      expect(parts).toEqual(shown);
      if (!isList) expect([asked, headers.get('etag')]).toEqual([asked, whole.headers.get('etag')]);
    }
  });

  test('refuses a member that its record does not have', async () => {
    for (const fields of ['', `${members[0]},`, `${members[0]},no_such_member`, '__proto__']) {
      const { status, error } = await read(path, fields);
      expect([fields, status, error.code, error.details[0].path]).toEqual([fields, 422, 'validation_failed', 'fields']);
    }
  });
});

test('a part of a record has the entity tag of the record, so that it guards writes too', async () => {
  const path = paths.get('/sites/:site/content/:id')!;
  const part = await read('/sites/:site/content/:id', 'title');
  const again = await request('GET', `${path}?fields=title`, {
    key: site.key,
    headers: { 'If-None-Match': part.headers.get('etag')! },
  });
  expect(again.status).toBe(304);
});
