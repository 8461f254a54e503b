import { afterAll, describe, expect, test } from '@jest/globals';
import { closeStack, eventually, stack } from '../harness/api.ts';
import { makeEdgeSite, visit } from '../harness/edge.ts';
import { startRole } from '../harness/role.ts';
import { startProxyOf } from '../harness/tcp-proxy.ts';

afterAll(closeStack);

const files = (text: string) => ({ files: { '/': { body: text }, '/cold/': { body: `cold ${text}` } } });

describe('without the database', () => {
  test('known sites are served, unknown ones are 503, and news follow when it is back', async () => {
    await using proxy = await startProxyOf(stack.env.DATABASE_URL!);
    await using edge = await startRole('edge', { DATABASE_URL: proxy.address }, 'healthz');
    const [known, unknown] = [await makeEdgeSite(files('one')), await makeEdgeSite(files('unknown'))];
    const ask = (path: string) => visit(path, { origin: edge.url });
    expect((await ask(`${known.base}/`)).text).toBe('one');

    proxy.cut();
    await known.release(files('two'));
    for (let times = 0; times < 20; times++) expect((await ask(`${known.base}/`)).status).toBe(200);
    const refused = await ask(`${unknown.base}/`);
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '2']);
    expect((await ask('/healthz')).status).toBe(200);

    proxy.restore();
    await eventually('the new release is served', async () => (await ask(`${known.base}/`)).text === 'two');
    await eventually('the unknown site is served', async () => (await ask(`${unknown.base}/`)).text === 'unknown');
  });
});

describe('with a database that hangs', () => {
  test('known sites are served, and news follow when it answers again', async () => {
    await using proxy = await startProxyOf(stack.env.DATABASE_URL!);
    await using edge = await startRole('edge', { DATABASE_URL: proxy.address }, 'healthz');
    const site = await makeEdgeSite(files('one'));
    const ask = () => visit(`${site.base}/`, { origin: edge.url });
    expect((await ask()).text).toBe('one');

    proxy.freeze();
    await site.release(files('two'));
    for (let times = 0; times < 20; times++) expect((await ask()).text).toBe('one');

    proxy.restore();
    await eventually('the new release is served', async () => (await ask()).text === 'two');
  });
});

test('SIGTERM lets a reply under way finish, refuses new visitors and ends the process', async () => {
  await using edge = await startRole('edge');
  const bytes = 40_000_000;
  const site = await makeEdgeSite({
    files: { '/_assets/v.1.mp4': { body: Buffer.alloc(bytes, 1), type: 'video/mp4' } },
  });
  const response = await fetch(`${edge.url}${site.base}/_assets/v.1.mp4`);
  edge.process.kill('SIGTERM');
  expect((await response.arrayBuffer()).byteLength).toBe(bytes);
  await eventually('the process ends', async () => edge.process.exitCode !== null);
  expect(edge.process.exitCode).toBe(0);
});
