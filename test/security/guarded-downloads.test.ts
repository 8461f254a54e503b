import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack, eventually, makeSite, type TestSite } from '../harness/api.ts';
import { jpeg, upload } from '../harness/media.ts';
import {
  deliver,
  findDelivery,
  makeIntegration,
  send,
  startSource,
  type TestImageServer,
} from '../harness/webhooks.ts';

// A server on this machine that is not allowed and would respond with a picture: any connection has bypassed the guard.
// Not even a connection may be made, so that no error, time or size reveals what listens inside.
let connections = 0;
let photo: Buffer;
const canary = http.createServer((_req, res) => res.writeHead(200, { 'Content-Type': 'image/jpeg' }).end(photo));
canary.on('connection', () => connections++);

let inside: string;
let site: TestSite;
let source: TestImageServer;
beforeAll(async () => {
  [site, photo] = await Promise.all([makeSite(), jpeg()]);
  canary.listen(0, '127.0.0.1');
  await once(canary, 'listening');
  inside = `http://127.0.0.1:${(canary.address() as AddressInfo).port}/a.jpg`;
  source = await startSource((_req, res) => res.writeHead(302, { Location: inside }).end());
});
afterAll(async () => {
  canary.closeAllConnections();
  canary.close();
  await source.close();
  await closeStack();
});

/** The URL itself, and an external one that redirects to it. */
const addresses: [string, () => string][] = [
  ['an address inside', () => inside],
  ['a redirect to the inside', () => `${source.origin}/${randomUUID()}.jpg`],
];

/** Each way in which the product receives a URL; resolves when it has handled it. */
const ways: Record<string, (url: string) => Promise<void>> = {
  'a JSON import': async (url) => {
    const { status, error } = await site.request('POST', '/media', { url, alt: 'x' });
    expect([status, error?.code]).toEqual([422, 'fetch_refused']);
  },
  'a form without a file': async (url) => {
    const { status, error } = await upload(site, null, { fields: { url, alt: 'x' } });
    expect([status, error?.code]).toEqual([422, 'fetch_refused']);
  },
  'the mapper import_media': async (url) => {
    const integration = await makeIntegration(site, 'import_media');
    const { deliveryId } = await send(integration, { url, alt: 'x' });
    await eventually('the attempt fails', async () => {
      const { status } = (await findDelivery(integration, deliveryId)) ?? {};
      if (status === 'succeeded') throw new Error('It was imported.');
      return status === 'failed';
    });
  },
  'the pictures of an article': async (url) => {
    const integration = await makeIntegration(site, 'autoseo');
    const body_html = `<p>x</p><img src="${url}" alt="x">`;
    const article = { id: randomUUID(), title: 'Pictures', status: 'draft', featured_image_url: url, body_html };
    const { status, result } = await deliver(integration, article);
    expect(status).toBe('succeeded');
    const { data } = await site.request('GET', `/content/${result.item.id}`);
    expect([data.body_html, data.featured_media_id]).toEqual(['<p>x</p>', null]);
  },
  'a link of a checked article': async (url) => {
    const body_html = `<p>It is 300 m high (<a href="${url}">source</a>).</p>`;
    const { data } = await site.request('POST', '/content', { title: 'Checked', body_html });
    const report = await site.request('POST', `/content/${data.id}/fact-check`);
    expect(report.data.links).toEqual([{ url, ok: false, status: null }]);
  },
};

describe.each(Object.keys(ways))('%s', (way) => {
  // rule: media.7, break.18, threat.15
  test.each(addresses)('never connects to %s', async (_what, address) => {
    const before = connections;
    await ways[way]!(address());
    expect(connections).toBe(before);
  });
});

test('the server inside answers who may ask it', async () => {
  const before = connections;
  expect((await fetch(inside)).status).toBe(200);
  expect(connections).toBe(before + 1);
});
