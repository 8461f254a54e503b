import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack, eventually, makeSite, stack, type TestSite } from '../harness/api.ts';
import {
  deliver,
  findDelivery,
  makeIntegration,
  send,
  type TestIntegration,
  waitForDelivery,
} from '../harness/webhooks.ts';

// biome-ignore lint/suspicious/noExplicitAny: records of every shape
type Any = any;

const program = path.join(import.meta.dirname, '../../services/cli/fieldstone.js');
let site: TestSite;
let integration: TestIntegration;

interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

function run(...args: string[]): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], { env: stack.env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

async function json(...args: string[]): Promise<Any> {
  const { code, stdout, stderr } = await run('webhooks', ...args, '--json');
  if (code !== 0) throw new Error(`The command failed: ${stderr}`);
  return JSON.parse(stdout);
}

beforeAll(async () => {
  site = await makeSite();
  integration = await makeIntegration(site, 'autoseo');
});
afterAll(closeStack);

// rule: mapping.6
test('list names the integrations of a site', async () => {
  const all = await json('list', '--site', site.slug);
  expect(all).toEqual([
    expect.objectContaining({
      id: integration.id,
      slug: integration.slug,
      mapper: 'autoseo',
      enabled: true,
      site: site.slug,
    }),
  ]);
  expect(JSON.stringify(all)).not.toContain('secret');
});

// rule: mapping.6, break.28
test('list without a site names those of every site', async () => {
  const other = await makeIntegration(await makeSite(), 'create_post');
  const ids = (await json('list')).map(({ id }: Any) => id);
  expect(ids).toEqual(expect.arrayContaining([integration.id, other.id]));
});

test('list refuses a site that is not there', async () => {
  const { code, stderr } = await run('webhooks', 'list', '--site', 'not-there');
  expect([code, stderr.trim()]).toEqual([4, 'There is no site not-there.']);
});

// rule: resource.12
test('secret shows the signing secret again', async () => {
  expect(await json('secret', integration.slug)).toEqual({ slug: integration.slug, secret: integration.secret });
});

test('rotate makes a new one and says until when the old one is valid', async () => {
  const other = await makeIntegration(site, 'create_post');
  const rotated = await json('rotate', other.slug);
  expect(rotated).toEqual({
    slug: other.slug,
    secret: expect.any(String),
    previous_valid_until: expect.stringMatching(/Z$/),
  });
  expect((await send({ ...other, secret: rotated.secret }, { title: 'T', body_html: '' })).status).toBe(202);
});

test('disable and enable work at once', async () => {
  const other = await makeIntegration(site, 'create_post');
  await json('disable', other.slug);
  expect((await send(other, {})).status).toBe(404);
  await json('enable', other.slug);
  expect((await send(other, {})).status).toBe(202);
});

describe('deliveries, show and replay', () => {
  let made: Any;
  beforeAll(async () => {
    made = await deliver(integration, { id: 'cli', title: 'From the line', body_html: '<p>x</p>' });
  });
  // rule: mapping.6
  test('deliveries lists them with the filters', async () => {
    expect((await json('deliveries', integration.slug)).map((one: Any) => one.id)).toContain(made.id);
    expect(await json('deliveries', integration.slug, '--status', 'failed')).toEqual([]);
    expect(await json('deliveries', integration.slug, '--since', '2099-01-01T00:00:00Z')).toEqual([]);
  });
  test('show gives the whole record, by its id or the sender’s', async () => {
    for (const name of [made.id, made.delivery_id]) expect(await json('show', name)).toEqual(made);
    const { stdout } = await run('webhooks', 'show', made.id);
    expect(stdout).toContain('From the line');
    expect(stdout).toContain('live');
  });
  test('a dry run says what would change and changes nothing', async () => {
    await site.request('PATCH', `/content/${made.result.item.id}`, { title: 'Edited' });
    const [forecast] = await json('replay', made.id, '--dry-run');
    expect(forecast).toMatchObject({
      id: made.id,
      would: 'update',
      item: made.result.item.id,
      changes: { title: { from: 'Edited', to: 'From the line' } },
    });
    expect((await site.request('GET', `/content/${made.result.item.id}`)).data.title).toBe('Edited');
  });
  test('a dry run runs the rules of content, tells a changed body and images that are not here yet', async () => {
    const posts = await makeIntegration(site, 'create_post');
    const forecastOf = async (deliveryId: string) => (await json('replay', deliveryId, '--dry-run'))[0];
    const refused = await deliver(posts, { title: 'x', body_html: '', status: 'scheduled' });
    expect(await forecastOf(refused.id)).toMatchObject({
      would: 'fail',
      reason: expect.stringContaining('scheduled_at'),
    });
    const before = { title: 'Same', body_html: '<p>short</p>', source_ref: 'r1' };
    const first = await deliver(posts, before);
    await deliver(posts, { ...before, body_html: '<p>a longer text</p>', slug: 'elsewhere' });
    expect(await forecastOf(first.id)).toMatchObject({
      would: 'update',
      item: first.result.item.id,
      changes: { body_html: { from: '20 characters', to: '12 characters' } },
    });
    const count = (await site.request('GET', '/content')).json.pagination.total;
    const article = { id: 'pictured', title: 'Pictured', body_html: '<p>x</p><img src="http://10.0.0.1/a.png">' };
    const pictured = await deliver(integration, article);
    expect(await forecastOf(pictured.id)).toMatchObject({
      would: 'update',
      changes: {},
      would_fetch: ['http://10.0.0.1/a.png'],
    });
    expect((await site.request('GET', '/content')).json.pagination.total).toBe(count + 1);
    expect((await site.request('GET', `/content/${first.result.item.id}`)).data.body_html).toBe('<p>a longer text</p>');
  });
  // rule: state.17, mapping.6, break.22, break.32
  test('replay runs from the recorded bytes', async () => {
    await site.request('PATCH', `/content/${made.result.item.id}`, { title: 'Edited since' });
    expect(await json('replay', made.id)).toEqual([{ id: made.id, delivery_id: made.delivery_id, status: 'queued' }]);
    expect((await waitForDelivery(integration, made.delivery_id)).status).toBe('succeeded');
    expect((await site.request('GET', `/content/${made.result.item.id}`)).data.title).toBe('From the line');
  });
  test.each([
    ['--status', 'skipped'],
    ['--since', '2020-01-01T00:00:00Z'],
    ['--integration', 'any'],
  ])('replay takes no %s beside the name of a delivery', async (...range) => {
    const { code, stderr } = await run('webhooks', 'replay', made.id, ...range);
    expect([code, stderr.trim()]).toEqual([2, 'Name deliveries or a range, not both.']);
  });
  test('replay of a range takes what has that status', async () => {
    const other = await makeIntegration(site, 'autoseo');
    const skipped = await deliver(other, '{');
    await deliver(other, { id: 1, title: 'Good', body_html: '' });
    const replayed = await json(
      'replay',
      '--integration',
      other.slug,
      '--status',
      'skipped',
      '--since',
      '2020-01-01T00:00:00Z',
    );
    expect(replayed.map((one: Any) => one.id)).toEqual([skipped.id]);
    await eventually(
      'it is skipped again',
      async () => (await findDelivery(other, skipped.delivery_id)).status === 'skipped',
    );
  });
});

test('send signs a file and sends it', async () => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'fieldstone-send-')), 'article.json');
  writeFileSync(file, JSON.stringify({ id: randomUUID(), title: 'Sent', body_html: '' }));
  const sent = await json('send', file, '--integration', integration.slug);
  expect(sent).toEqual({ status: 202, delivery_id: expect.any(String) });
  expect((await waitForDelivery(integration, sent.delivery_id)).status).toBe('succeeded');
  expect(await json('send', file, '--integration', integration.slug, '--delivery-id', sent.delivery_id)).toMatchObject({
    status: 200,
  });
});

test.each([
  [['secret', 'nobody']],
  [['deliveries', 'nobody']],
  [['show', 'nothing']],
  [['replay']],
  [['replay', '--status', 'done']],
  [['replay', '--status', 'failed', '--since', 'yesterday']],
  [['send', '/nowhere.json', '--integration', 'nobody']],
])('%j fails with one sentence', async (args) => {
  const { code, stdout, stderr } = await run('webhooks', ...args);
  expect(code).not.toBe(0);
  expect(stdout).toBe('');
  expect(stderr.trim().split('\n')).toHaveLength(1);
});

test('secrets rekey finds nothing to do while one key is in use', async () => {
  const { code, stdout } = await run('secrets', 'rekey', '--json');
  expect([code, JSON.parse(stdout)]).toEqual([0, { rekeyed: 0 }]);
});
