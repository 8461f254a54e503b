import { readFileSync } from 'node:fs';
import path from 'node:path';
import { signBody } from '../../services/features/inbound/signature.ts';
import type { Installation } from './installation.ts';

/** For each page of a view with parameters, such as `content/$id`, the path of a record below the view. */
export type Records = Readonly<Record<string, string>>;

/** Writes records of every kind to the demo site, and creates the site `empty`. Returns those that have a page. */
export async function writeRecords({ run, request, origin }: Installation): Promise<Records> {
  const { key } = await run('keys', 'create', '--name', 'axe', '--scopes', 'admin', '--sites', '*');
  // biome-ignore lint/suspicious/noExplicitAny: records of several shapes
  const send = async (method: string, at: string, body?: unknown, raw?: FormData): Promise<any> => {
    const { status, data } = await request(method, at, { key, body, ...(raw ? { raw } : {}) });
    if (status >= 300) throw new Error(`${method} ${at}: status ${status}`);
    return data;
  };
  const post = (at: string, body?: unknown, raw?: FormData) => send('POST', at, body, raw);
  await post('/sites', { name: 'Empty', slug: 'empty' });
  const item = await post('/sites/demo/content', {
    title: 'For axe',
    body_html: '<h2>A heading</h2><p>A <a href="https://example.org/">link</a>.</p><script>1</script>',
  });
  await post('/sites/demo/content', { title: 'Later', status: 'scheduled', scheduled_at: '2099-01-01T09:00:00Z' });
  const form = new FormData();
  form.set('alt', 'The demo site');
  const image = readFileSync(path.join(import.meta.dirname, '..', '..', 'docs', 'images', 'demo.png'));
  form.set('file', new Blob([image], { type: 'image/png' }), 'demo.png');
  const media = await post('/sites/demo/media', undefined, form);
  const integration = await post('/sites/demo/webhooks', { mapper: 'create_post', name: 'Articles' });
  const body = Buffer.from(JSON.stringify({ title: 'Delivered', body: '<p>Hello.</p>' }));
  const headers = {
    'Content-Type': 'application/json',
    'X-Delivery-Id': 'axe-1',
    'X-Service-Signature': signBody(integration.secret, body),
  };
  await fetch(`${origin}/webhooks/${integration.slug}`, { method: 'POST', headers, body });
  const { data: deliveries } = await request('GET', `/sites/demo/webhooks/${integration.id}/deliveries`, { key });
  const events = { url: 'https://hooks.example.org/', events: ['site.published'] };
  const endpoint = await post('/sites/demo/event-endpoints', events);
  await send('PUT', '/sites/demo/types/hike', {
    name: 'Hike',
    fields_schema: {
      type: 'object',
      properties: { km: { type: 'number' }, notes: { type: 'string', format: 'html' } },
    },
  });
  await send('PUT', '/sites/demo/components/card', {
    type: 'html',
    source_code: '<h2>{{ title }}</h2>',
    variables_schema: { title: { type: 'string', default: 'Hello' } },
  });
  const script = await post('/sites/demo/scripts', { name: 'Year', position: 'body_end', code: 'document.title' });
  return {
    'content/$id': `/${item.id}`,
    'media/$id': `/${media.id}`,
    'types/$type': '/hike',
    'components/$handle': '/card',
    'scripts/$id': `/${script.id}`,
    'webhooks/$id': `/${integration.id}`,
    'webhooks/$id/$delivery': `/${integration.id}/${deliveries[0].id}`,
    'events/$id': `/${endpoint.id}`,
  };
}
