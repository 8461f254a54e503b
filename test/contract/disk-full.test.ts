import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { closeStack, makeSite, stackConfig, type TestSite } from '../harness/api.ts';
import { describeWith } from '../harness/programs.ts';
import { startRole, type TestRole } from '../harness/role.ts';
import { makeIntegration, send, type TestIntegration } from '../harness/webhooks.ts';

const onFiles = stackConfig().objects.engine === 'files';
const message = /^The disk of the service has \d+ MB free, and writing needs \d+ MB/;

afterAll(closeStack);

/** This gateway requires more free space than any disk has, so it considers the disk full. */
describeWith('objects in files', onFiles)('while the disk is nearly full', () => {
  let gateway: TestRole;
  let site: TestSite;
  let integration: TestIntegration;
  let item: { id: string };

  const ask = (method: string, path: string, body?: object) =>
    fetch(`${gateway.url}/api/v1/sites/${site.slug}${path}`, {
      method,
      headers: { 'X-API-Key': site.key, 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() },
      body: body ? JSON.stringify(body) : null,
    });

  beforeAll(async () => {
    gateway = await startRole('gateway', { FIELDSTONE_MIN_FREE_MB: '900000000' });
    site = await makeSite();
    integration = await makeIntegration(site, 'create_post');
    item = (await site.request('POST', '/content', { title: 'There' })).data;
  });
  afterAll(() => gateway?.kill('SIGTERM'));

  test('writes are refused before the database is asked to, and the reply says why and when to try again', async () => {
    for (const [method, path, body] of [
      ['POST', '/content', { title: 'New' }],
      ['PATCH', `/content/${item.id}`, { title: 'Changed' }],
      ['PUT', '/shell/file/style.css', { any: 'bytes' }],
      ['POST', '/publish', {}],
    ] as const) {
      const reply = await ask(method, path, body);
      const { success, error } = (await reply.json()) as { success: boolean; error: { code: string; message: string } };
      expect([reply.status, success, error.code]).toEqual([503, false, 'unavailable']);
      expect(error.message).toMatch(message);
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await site.request('GET', `/content/${item.id}`)).data.title).toBe('There');
  });

  test('inbound webhooks are refused without a body, so that their sender tries again', async () => {
    const reply = await send(integration, { title: 'Sent' }, { origin: gateway.url });
    expect([reply.status, reply.text]).toEqual([503, '']);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('a resumable upload is refused at its beginning', async () => {
    const encoded = (text: string) => Buffer.from(text).toString('base64');
    const reply = await fetch(`${gateway.url}/uploads`, {
      method: 'POST',
      headers: {
        'X-API-Key': site.key,
        'Tus-Resumable': '1.0.0',
        'Upload-Length': '10',
        'Upload-Metadata': `site ${encoded(site.slug)},filename ${encoded('a.bin')}`,
      },
    });
    expect(reply.status).toBe(503);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('reading goes on, and so does what frees space', async () => {
    expect((await ask('GET', '/content')).status).toBe(200);
    const { id } = (await site.request('POST', '/content', { title: 'To go' })).data;
    expect((await ask('DELETE', `/content/${id}`)).status).toBe(200);
    expect((await ask('DELETE', `/content/${id}/purge`)).status).toBe(200);
  });
});
