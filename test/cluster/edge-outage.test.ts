import { afterAll, describe, expect, test } from '@jest/globals';
import { closeStack, eventually, stack } from '../harness/api.ts';
import { makeEdgeSite, visit } from '../harness/edge.ts';
import { startRole } from '../harness/role.ts';
import { startProxyOf } from '../harness/tcp-proxy.ts';

afterAll(closeStack);

const files = (text: string) => ({ files: { '/': { body: text }, '/cold/': { body: `cold ${text}` } } });

describe('without the object store', () => {
  test('what is in memory is served, the last whole release stays, and the rest is 503 until it is back', async () => {
    await using proxy = await startProxyOf(stack.env.S3_ENDPOINT!);
    await using edge = await startRole('edge', { S3_ENDPOINT: proxy.address }, 'healthz');
    const site = await makeEdgeSite(files('one'));
    const ask = (path: string) => visit(site.base + path, { origin: edge.url });
    expect((await ask('/')).text).toBe('one');

    proxy.cut();
    expect((await ask('/')).text).toBe('one');
    expect((await ask('/cold/')).status).toBe(503);
    await site.release(files('two'));
    for (let times = 0; times < 20; times++) expect((await ask('/')).text).toBe('one');

    proxy.restore();
    await eventually('the new release is served', async () => (await ask('/')).text === 'two');
    expect((await ask('/cold/')).text).toBe('cold two');
  });
});

test('with an object store that hangs, the last whole release stays until the new one can be read', async () => {
  await using proxy = await startProxyOf(stack.env.S3_ENDPOINT!);
  await using edge = await startRole('edge', { S3_ENDPOINT: proxy.address }, 'healthz');
  const site = await makeEdgeSite(files('one'));
  const ask = () => visit(`${site.base}/`, { origin: edge.url });
  expect((await ask()).text).toBe('one');
  proxy.freeze();
  await site.release(files('two'));
  for (let times = 0; times < 3; times++) expect((await ask()).text).toBe('one');
  proxy.restore();
  await eventually('the new release is served', async () => (await ask()).text === 'two');
});
