import { execFile } from 'node:child_process';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { closeStack, makeSite, stack, type TestSite } from '../harness/api.ts';
import { makeEndpoint, sendTest, startReceiver, type TestReceiver, verify, waitForEvent } from '../harness/events.ts';

// biome-ignore lint/suspicious/noExplicitAny: records of every shape
type Any = any;

const program = path.join(import.meta.dirname, '../../services/cli/fieldstone.js');
let site: TestSite;
let receiver: TestReceiver;
let status = 204;

function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, 'events', ...args], { env: stack.env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

async function json(...args: string[]): Promise<Any> {
  const { code, stdout, stderr } = await run(...args, '--json');
  if (code !== 0) throw new Error(`The command failed: ${stderr}`);
  return JSON.parse(stdout);
}

beforeAll(async () => {
  site = await makeSite();
  receiver = await startReceiver(() => ({ status }));
});
afterEach(() => {
  status = 204;
});
afterAll(async () => {
  await receiver.close();
  await closeStack();
});

test('endpoints are listed with their site; the secret is shown again, and rotated', async () => {
  const { secret, ...endpoint } = await makeEndpoint(site, receiver.url);
  expect(await json('endpoints', '--site', site.slug)).toEqual([{ ...endpoint, site: site.slug }]);
  expect((await run('endpoints', '--site', site.slug)).stdout).toContain(receiver.url);
  expect(await json('secret', endpoint.id)).toEqual({ id: endpoint.id, secret });
  const rotated = await json('rotate', endpoint.id);
  expect(rotated.secret).not.toBe(secret);
  expect(await json('secret', endpoint.id)).toEqual({ id: endpoint.id, secret: rotated.secret });
  const { id } = await json('test', endpoint.id);
  expect((await waitForEvent(site, id)).status).toBe('delivered');
  verify(rotated.secret, receiver.received.at(-1)!);
});

test('events are listed, shown with their attempts, and replayed one by one and as a range', async () => {
  const endpoint = await makeEndpoint(site, receiver.url);
  status = 500;
  const ids = [(await sendTest(site, endpoint.id)).id, (await sendTest(site, endpoint.id)).id];
  for (const id of ids) expect((await waitForEvent(site, id)).status).toBe('failed');
  const listed = await json('list', '--endpoint', endpoint.id, '--status', 'failed');
  expect(listed.map(({ id }: Any) => id)).toEqual([...ids].reverse());
  expect((await json('list', '--site', site.slug, '--limit', '1')).length).toBe(1);
  const shown = await json('show', ids[0]);
  expect(shown).toMatchObject({ id: ids[0], status: 'failed', payload: { type: 'endpoint.test' } });
  expect((await run('show', ids[0])).stdout).toContain('The endpoint responded with status 500.');
  status = 204;
  expect(await json('replay', ids[0])).toEqual({ replayed: [ids[0]] });
  expect((await waitForEvent(site, ids[0])).status).toBe('delivered');
  expect(await json('replay', '--endpoint', endpoint.id, '--status', 'failed')).toEqual({ replayed: [ids[1]] });
  expect((await waitForEvent(site, ids[1])).status).toBe('delivered');
});

test('an endpoint can be disabled and enabled', async () => {
  const { id } = await makeEndpoint(site, receiver.url);
  expect(await json('disable', id)).toEqual({ id, enabled: false });
  const refused = await run('test', id);
  expect([refused.code !== 0, refused.stderr]).toEqual([true, 'The endpoint is disabled; enable it first.\n']);
  expect(await json('enable', id)).toEqual({ id, enabled: true });
  expect((await site.request('GET', `/event-endpoints/${id}`)).data.enabled).toBe(true);
});

test.each([
  [['show', 'none'], 'There is no such event.'],
  [['secret', '00000000-0000-4000-8000-000000000000'], 'There is no such endpoint.'],
  [['list', '--site', 'no-such-site'], 'There is no site no-such-site.'],
  [['list', '--status', 'lost'], '--status takes one of'],
  [['replay'], 'Name events, or a range'],
])('%j is refused in one sentence', async (args, sentence) => {
  const { code, stderr } = await run(...(args as string[]));
  expect(code).not.toBe(0);
  expect(stderr).toContain(sentence);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});
