import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { isChange } from '../../services/gateway/audit.ts';
import { routes } from '../../services/gateway/routes.ts';
import {
  type ApiReply,
  closeStack,
  eventually,
  makeKey,
  makeSite,
  publish,
  request,
  stack,
  stackDatabase,
  type TestSite,
} from '../harness/api.ts';
import { makeTar } from '../harness/archives.ts';
import { runCli } from '../harness/cli.ts';
import { makeSignedIn, password, signInByLink } from '../harness/dashboard.ts';
import { startReceiver } from '../harness/events.ts';
import { jpeg, upload } from '../harness/media.ts';
import { makeMember, makeUser } from '../harness/people.ts';
import { makeIntegration, send, waitForDelivery } from '../harness/webhooks.ts';
import { createItem } from '../workflows/helpers.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into records of every shape
type Any = any;

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(closeStack);

const db = stackDatabase();

/** The rows of a request, as they are stored. */
const rowsOf = (reply: { headers: Headers }): Promise<Any[]> =>
  db.query('SELECT * FROM audit_log WHERE request_id = $1', [reply.headers.get('x-request-id')]);

/** The entries of a site that came through something else than a request, oldest first. */
async function entriesVia(of: TestSite, via: string): Promise<Any[]> {
  const { data } = await of.request('GET', '/audit?per_page=100');
  return data.filter((entry: Any) => entry.via === via).reverse();
}

type Step = [operation: string, run: () => Promise<ApiReply>];

/** A request for every operation that changes something, in an order in which each succeeds. */
async function stepsFor(on: TestSite): Promise<Step[]> {
  const receiver = await startReceiver();
  const ids: Record<string, string> = {};
  const call =
    (method: string, path: () => string, body?: unknown, as?: string, options: Any = {}) =>
    async () => {
      const reply = await on.request(method, path(), body, options);
      if (as) ids[as] = reply.data.id ?? reply.data.snapshot ?? reply.data.rev;
      return reply;
    };
  const at = (path: string) => () => path.replace(/\{(\w+)\}/g, (_all, name: string) => ids[name]!);
  const theme = await makeTar([[{ name: 'css/a.css' }, 'p { margin: 0 }']]);
  const endpoint = { url: receiver.url, events: ['site.published'] };
  const component = { type: 'html', source_code: '<p>{{ text }}</p>' };
  const integration = await makeIntegration(on, 'create_post');
  const { deliveryId } = await send(integration, { title: 'Delivered', body_html: '<p>x</p>' });
  ids['delivery'] = (await waitForDelivery(integration, deliveryId)).id;
  ids['integration'] = integration.id;
  ids['release'] = (await publish(on)).result.release;
  return [
    ['updateSite', call('PATCH', at(''), { name: 'Renamed' })],
    ['addLanguage', call('POST', at('/languages'), { locale: 'fr' })],
    ['removeLanguage', call('DELETE', at('/languages/fr'))],
    ['createContent', call('POST', at('/content'), { title: 'Secret words', body_html: '<p>hidden text</p>' }, 'item')],
    ['createContentBatch', call('POST', at('/content/batch'), { items: [{ title: 'A' }, { title: 'B' }, {}] })],
    ['putContentByRef', call('PUT', at('/content/by-ref/cms-1'), { title: 'By reference' })],
    ['updateContent', call('PATCH', at('/content/{item}'), { title: 'Changed' })],
    ['putDraft', call('PUT', at('/content/{item}/draft'), { title: 'Pending' })],
    ['applyDraft', call('POST', at('/content/{item}/draft/apply'))],
    [
      'deleteDraft',
      async () => {
        await on.request('PUT', at('/content/{item}/draft')(), { title: 'Dropped' });
        return on.request('DELETE', at('/content/{item}/draft')());
      },
    ],
    [
      'restoreRevision',
      async () => {
        const { data } = await on.request('GET', at('/content/{item}/revisions')());
        return on.request('POST', `${at('/content/{item}/revisions')()}/${data.at(-1).rev}/restore`);
      },
    ],
    ['trashContent', call('DELETE', at('/content/{item}'))],
    ['restoreContent', call('POST', at('/content/{item}/restore'))],
    [
      'purgeContent',
      async () => {
        await on.request('DELETE', at('/content/{item}')());
        return on.request('DELETE', at('/content/{item}/purge')());
      },
    ],
    [
      'uploadMedia',
      async () => {
        const reply = await upload(on, await jpeg(), { filename: 'audited.jpg' });
        ids['media'] = reply.data.id;
        return reply;
      },
    ],
    ['updateMedia', call('PATCH', at('/media/{media}'), { alt: 'Another' })],
    [
      'replaceMedia',
      async () => {
        const form = new FormData();
        form.append('file', new Blob([new Uint8Array(await jpeg(32, 32))]), 'audited.jpg');
        return on.request('POST', at('/media/{media}/replace')(), undefined, { raw: form });
      },
    ],
    ['undoMediaReplacement', call('POST', at('/media/{media}/undo-replacement'))],
    ['trashMedia', call('DELETE', at('/media/{media}'))],
    ['restoreMedia', call('POST', at('/media/{media}/restore'))],
    [
      'purgeMedia',
      async () => {
        await on.request('DELETE', at('/media/{media}')());
        return on.request('DELETE', at('/media/{media}/purge')());
      },
    ],
    ['writeShellFile', call('PUT', at('/shell/file/css/own.css'), undefined, undefined, { raw: 'p { color: red }' })],
    ['deleteShellFile', call('DELETE', at('/shell/file/css/own.css'))],
    ['takeShellSnapshot', call('POST', at('/shell/snapshot'), undefined, 'snapshot')],
    ['restoreShell', call('POST', at('/shell/restore/{snapshot}'))],
    [
      'writeShellArchive',
      call('POST', at('/shell/archive?mode=merge'), undefined, undefined, { raw: new Uint8Array(theme) }),
    ],
    ['putComponent', call('PUT', at('/components/card'), component)],
    ['deleteComponent', call('DELETE', at('/components/card'))],
    ['putType', call('PUT', at('/types/hike'), { name: 'Hike', fields_schema: { hiddenMember: { type: 'string' } } })],
    ['deleteType', call('DELETE', at('/types/hike'))],
    ['createRedirect', call('POST', at('/redirects'), { from: '/old/', to: '/' }, 'redirect')],
    ['updateRedirect', call('PATCH', at('/redirects/{redirect}'), { status: 302 })],
    ['deleteRedirect', call('DELETE', at('/redirects/{redirect}'))],
    ['createScript', call('POST', at('/scripts'), { name: 'tally', code: 'let hiddenCode = 1' }, 'script')],
    ['updateScript', call('PATCH', at('/scripts/{script}'), { name: 'count' })],
    ['deleteScript', call('DELETE', at('/scripts/{script}'))],
    ['publishSite', call('POST', at('/publish'))],
    ['rollBackRelease', call('POST', at('/releases/{release}/rollback'))],
    ['createWebhook', call('POST', at('/webhooks'), { mapper: 'create_post' }, 'webhook')],
    ['updateWebhook', call('PATCH', at('/webhooks/{webhook}'), { name: 'Newsroom' })],
    ['rotateWebhookSecret', call('POST', at('/webhooks/{webhook}/rotate'))],
    ['replayDelivery', call('POST', at('/webhooks/{integration}/deliveries/{delivery}/replay'))],
    ['deleteWebhook', call('DELETE', at('/webhooks/{webhook}'))],
    ['createEventEndpoint', call('POST', at('/event-endpoints'), endpoint, 'endpoint')],
    ['updateEventEndpoint', call('PATCH', at('/event-endpoints/{endpoint}'), { events: ['job.failed'] })],
    ['sendTestEvent', call('POST', at('/event-endpoints/{endpoint}/test'), undefined, 'event')],
    ['replayEvent', call('POST', at('/events/{event}/replay'))],
    ['rotateEventEndpointSecret', call('POST', at('/event-endpoints/{endpoint}/rotate'))],
    ['deleteEventEndpoint', call('DELETE', at('/event-endpoints/{endpoint}'))],
    [
      'deleteSite',
      async () => {
        await receiver.close();
        return on.request('DELETE', '');
      },
    ],
  ];
}

let walked: TestSite;
let walkedRows: Any[] = [];

// rule: beyond.18
test('every write operation of the API leaves exactly one row', async () => {
  walked = await makeSite();
  const [made] = await db.query<Any>(`SELECT * FROM audit_log WHERE site_id = $1 AND operation = 'createSite'`, [
    walked.id,
  ]);
  expect(made).toMatchObject({ target_kind: 'sites', target_id: walked.id, target_name: walked.slug });
  const steps = await stepsFor(walked);
  const names = [...steps.map(([name]) => name), 'createSite'];
  expect(names.sort()).toEqual(
    routes
      .filter(isChange)
      .map(({ operationId }) => operationId)
      .sort(),
  );
  const keyId = walked.key.split('_')[1];
  for (const [operation, run] of steps) {
    const reply = await run();
    expect([operation, reply.status < 300 || reply.text]).toEqual([operation, true]);
    const rows = await rowsOf(reply);
    expect([operation, rows.length]).toEqual([operation, 1]);
    expect(rows[0]).toMatchObject({ operation, via: 'key', key_id: keyId, site_id: walked.id, site_slug: walked.slug });
    expect([operation, rows[0].target_kind, typeof rows[0].user_id]).toEqual([operation, expect.any(String), 'string']);
    walkedRows = [...walkedRows, ...rows];
  }
});

test('a row names what was changed', () => {
  const targetOf = (name: string) => {
    const { target_kind, target_id, target_name } = walkedRows.find(({ operation }) => operation === name);
    return [target_kind, target_id, target_name];
  };
  expect(targetOf('createContent')).toEqual(['content', expect.stringMatching(/^[0-9a-f-]{36}$/), 'secret-words']);
  expect(targetOf('createContentBatch')).toEqual(['content', null, null]);
  expect(targetOf('writeShellFile')).toEqual(['shell', 'css/own.css', 'css/own.css']);
  expect(targetOf('putComponent')).toEqual(['components', 'card', 'card']);
  expect(targetOf('putType')).toEqual(['types', 'hike', 'Hike']);
  expect(targetOf('deleteType').slice(0, 2)).toEqual(['types', 'hike']);
  expect(targetOf('replayDelivery')[0]).toBe('deliveries');
  expect(targetOf('restoreRevision').slice(0, 2)).toEqual(targetOf('updateContent').slice(0, 2));
  expect(targetOf('putDraft').slice(0, 2)).toEqual(targetOf('updateContent').slice(0, 2));
  expect(targetOf('deleteSite')).toEqual(['sites', walked.id, walked.slug]);
});

// rule: beyond.18
test('no row has a body or a secret', () => {
  const text = JSON.stringify(walkedRows);
  for (const hidden of ['hidden text', 'hiddenCode', 'hiddenMember', 'color: red', 'whsec_', walked.key])
    expect(text).not.toContain(hidden);
});

// rule: beyond.18
test('requests that fail, replay or only read leave none', async () => {
  const item = await createItem(site, { title: 'Read' });
  const replies = [
    await site.request('GET', `/content/${item.id}`),
    await site.request('POST', `/content/${item.id}/fact-check`),
    await site.request('POST', '/content', {}),
    await site.request('PATCH', `/content/${item.id}`, { featured_media_id: item.id }),
    await site.request('POST', `/content/${item.id}/restore`),
    await request('POST', `/sites/${site.slug}/content`, {
      key: await makeKey(['content:read']),
      body: { title: 'x' },
    }),
  ];
  for (const reply of replies) expect([reply.status, await rowsOf(reply)]).toEqual([reply.status, []]);
  const options = { headers: { 'Idempotency-Key': `audit-${site.slug}` } };
  const first = await site.request('POST', '/content', { title: 'Once' }, options);
  const second = await site.request('POST', '/content', { title: 'Once' }, options);
  expect(second.headers.get('idempotency-replayed')).toBe('true');
  expect([(await rowsOf(first)).length, (await rowsOf(second)).length]).toEqual([1, 0]);
});

// rule: beyond.18
test('resumable uploads, deliveries, scheduled items and commands are recorded with what they came through', async () => {
  const own = await makeSite();
  const encode = (text: string) => Buffer.from(text).toString('base64');
  const tus = (method: string, url: string, headers: object, body?: string) =>
    fetch(url, {
      method,
      headers: { 'Tus-Resumable': '1.0.0', 'X-API-Key': own.key, ...headers },
      ...(body === undefined ? {} : { body }),
    });
  const metadata = `site ${encode(own.slug)},filename ${encode('notes.txt')}`;
  const begin = () =>
    tus('POST', `${stack.gateways[0]}/uploads`, { 'Upload-Length': '4', 'Upload-Metadata': metadata });
  const begun = await begin();
  const patch = { 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' };
  const ended = await tus('PATCH', begun.headers.get('location')!, patch, 'text');
  const dropped = await tus('DELETE', (await begin()).headers.get('location')!, {});
  expect([begun.status, ended.status, dropped.status]).toEqual([201, 204, 204]);
  for (const [reply, operation] of [
    [begun, 'beginUpload'],
    [ended, 'continueUpload'],
    [dropped, 'cancelUpload'],
  ] as const) {
    const rows = await rowsOf(reply);
    expect(rows).toMatchObject([{ operation, via: 'key', site_id: own.id, target_name: 'notes.txt' }]);
    expect([rows[0].key_id, typeof rows[0].user_id]).toEqual([own.key.split('_')[1], 'string']);
  }

  const integration = await makeIntegration(own, 'create_post');
  const { deliveryId } = await send(integration, { title: 'From outside', body_html: '' });
  await waitForDelivery(integration, deliveryId);
  expect(await entriesVia(own, 'webhook')).toMatchObject([
    {
      operation: 'mapDelivery',
      user: null,
      key: null,
      integration: { id: integration.id, slug: integration.slug },
      target: { kind: 'content', name: 'from-outside' },
    },
  ]);

  const due = await own.request('POST', '/content', {
    title: 'Due',
    status: 'scheduled',
    scheduled_at: '2020-01-01T00:00:00Z',
  });
  const entry = await eventually('the scheduler publishes it', async () => (await entriesVia(own, 'scheduler'))[0]);
  expect(entry).toMatchObject({
    operation: 'publishScheduled',
    user: null,
    target: { kind: 'content', id: due.data.id, name: 'due' },
  });

  const { result } = await publish(own);
  const backup = JSON.parse((await runCli('backups', 'create', own.slug, '--json')).stdout);
  for (const args of [
    ['publish', own.slug],
    ['releases', 'rollback', own.slug, result.release],
    ['webhooks', 'rotate', integration.slug],
    ['webhooks', 'disable', integration.slug],
    ['backups', 'restore', backup.id],
  ])
    expect([args, (await runCli(...args)).code]).toEqual([args, 0]);
  expect((await entriesVia(own, 'cli')).map(({ operation }) => operation)).toEqual([
    'publish',
    'releases.rollback',
    'webhooks.rotate',
    'webhooks.disable',
    'backups.restore',
  ]);
});

test('commands for people and keys are recorded, with the role that was given', async () => {
  const email = `cli-${site.slug}@example.com`;
  const json = async (...args: string[]) => JSON.parse((await runCli(...args, '--json')).stdout);
  await runCli('users', 'create', email);
  await runCli('users', 'grant', email, '--site', site.slug, '--role', 'editor');
  await runCli('users', 'deactivate', email);
  const made = await json('keys', 'create', '--name', 'Audited', '--scopes', 'admin', '--sites', '*', '--user', email);
  await runCli('keys', 'revoke', made.id);
  expect((await runCli('keys', 'revoke', 'nokey123')).code).toBe(4);
  const rows = await db.query<Any>(
    `SELECT operation, via, target_id, target_name FROM audit_log
     WHERE target_name LIKE $1 || '%' OR target_id IN ($2, 'nokey123') ORDER BY created_at, operation`,
    [email, made.id],
  );
  expect(rows.map(({ operation, via, target_name }) => [operation, via, target_name])).toEqual([
    ['users.create', 'cli', email],
    ['users.grant', 'cli', `${email} (editor of ${site.slug})`],
    ['users.deactivate', 'cli', email],
    ['keys.create', 'cli', 'Audited'],
    ['keys.revoke', 'cli', null],
  ]);
});

// rule: beyond.19
test('a site’s changes are listed to its owners, newest first, with filters', async () => {
  const own = await makeSite();
  const owner = await makeMember(own.slug, 'owner');
  const key = await owner.makeKey();
  const first = await own.request('POST', '/redirects', { from: '/a/', to: '/' });
  const second = await request('POST', `/sites/${own.slug}/redirects`, { key, body: { from: '/b/', to: '/' } });
  const list = async (query = '', as = key) => request('GET', `/sites/${own.slug}/audit${query}`, { key: as });
  const { data, json } = await list();
  expect(json.pagination).toMatchObject({ total: 3, page: 1, per_page: 20 });
  expect(data.map(({ operation }: Any) => operation)).toEqual(['createRedirect', 'createRedirect', 'createSite']);
  expect(data[0]).toEqual({
    id: expect.any(String),
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    operation: 'createRedirect',
    via: 'key',
    user: { id: owner.id, email: owner.email },
    key: { id: key.split('_')[1], name: 'test' },
    integration: null,
    agent: null,
    site: { id: own.id, slug: own.slug },
    target: { kind: 'redirects', id: second.data.id, name: '/b/' },
    request_id: second.headers.get('x-request-id'),
  });
  const ids = async (query: string) => (await list(query)).data.map(({ target }: Any) => target.id);
  expect(await ids(`?actor=${owner.id}`)).toEqual([second.data.id]);
  expect(await ids(`?actor=${own.key.split('_')[1]}`)).toEqual([first.data.id, own.id]);
  expect(await ids('?operation=createSite')).toEqual([own.id]);
  expect(await ids('?since=2100-01-01T00:00:00Z')).toEqual([]);
  expect(await ids('?until=2000-01-01T00:00:00Z')).toEqual([]);
  expect(await ids('?per_page=1&page=2')).toEqual([first.data.id]);
  expect((await list('?since=yesterday')).status).toBe(422);
  const editor = await makeMember(own.slug, 'editor');
  expect((await list('', await editor.makeKey())).error.code).toBe('role_insufficient');
  expect((await list('', await owner.makeKey(['sites:read']))).error.code).toBe('scope_missing');
});

// rule: beyond.19
test('the installation’s changes are for administrators with a key for every site; those of deleted sites stay', async () => {
  const own = await makeSite();
  await own.request('DELETE', '');
  expect((await own.request('GET', '/audit')).status).toBe(404);
  const { data } = await request('GET', `/audit?site=${own.slug}`, { key: own.key });
  expect(data.map(({ operation }: Any) => operation)).toEqual(['deleteSite', 'createSite']);
  expect(data[0].site).toEqual({ id: own.id, slug: own.slug });
  const administrator = await makeUser({ administrator: true });
  const member = await makeMember('*', 'owner');
  const codeFor = async (key: string) => (await request('GET', '/audit', { key })).error?.code;
  expect(await codeFor(await administrator.makeKey())).toBeUndefined();
  expect(await codeFor(await administrator.makeKey(['admin'], [site.slug]))).toBe('site_not_allowed');
  expect(await codeFor(await administrator.makeKey(['sites:write']))).toBe('scope_missing');
  expect(await codeFor(await member.makeKey())).toBe('role_insufficient');
  expect(await codeFor(await (await makeMember('*', 'editor')).makeKey())).toBe('role_insufficient');
});

// rule: beyond.19
test('every change that people make in the dashboard leaves a row, and what changes nothing leaves none', async () => {
  const own = await makeSite();
  const owner = await makeMember(own.slug, 'owner');
  const member = await makeMember(own.slug, 'viewer');
  const client = await signInByLink(owner.id);
  const members = `/sites/${own.slug}/members`;
  const user = { kind: 'users', id: owner.id, name: null };
  const changes: [string, Any, Promise<ApiReply>][] = [];
  const one = async (operation: string, target: Any, reply: Promise<ApiReply>) => {
    expect([operation, (await reply).status]).toEqual([operation, 200]);
    changes.push([operation, target, reply]);
  };
  const id = member.id;
  await one(
    'updateSiteMember',
    { kind: 'members', id, name: null },
    client.call('PATCH', `${members}/${id}`, { role: 'author' }),
  );
  await one('removeSiteMember', { kind: 'members', id, name: null }, client.call('DELETE', `${members}/${id}`));
  await one('updateMe', user, client.call('PATCH', '/me', { name: 'Ada' }));
  await one('signOutEverywhere', user, client.call('DELETE', '/sessions'));
  for (const [operation, target, reply] of changes) {
    const site = target.kind === 'members' ? own.id : null;
    const expected = {
      operation,
      via: 'dashboard',
      user_id: owner.id,
      site_id: site,
      target_kind: target.kind,
      target_id: target.id,
    };
    expect(await rowsOf(await reply)).toEqual([expect.objectContaining(expected)]);
  }
  expect((await entriesVia(own, 'dashboard')).map(({ operation }) => operation)).toEqual([
    'updateSiteMember',
    'removeSiteMember',
  ]);
  const { user: known, client: signedIn } = await makeSignedIn();
  const entered = await signedIn.call('POST', '/sign-in', { email: known.email, password });
  expect(await rowsOf(entered)).toEqual([expect.objectContaining({ operation: 'signIn', user_id: known.id })]);
  const refused = await signedIn.call('POST', '/sign-in', { email: known.email, password: 'another one entirely' });
  expect([refused.status, await rowsOf(refused)]).toEqual([401, []]);
  expect(await rowsOf(await signedIn.call('GET', '/me'))).toEqual([]);
  const out = await signedIn.call('POST', '/sign-out');
  expect(await rowsOf(out)).toEqual([expect.objectContaining({ operation: 'signOut', user_id: known.id })]);
  expect(await rowsOf(await signedIn.call('POST', '/sign-out'))).toEqual([]);
});

// rule: beyond.19
test('the export prints a change for each line, oldest first', async () => {
  const own = await makeSite();
  await own.request('POST', '/redirects', { from: '/a/', to: '/' });
  const { code, stdout } = await runCli('audit', 'export', '--site', own.slug, '--since', '2020-01-01T00:00:00Z');
  expect(code).toBe(0);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.reverse()).toEqual((await own.request('GET', '/audit')).data);
  expect((await runCli('audit', 'export', '--site', own.slug, '--since', '2100-01-01T00:00:00Z')).stdout).toBe('');
  const asArray = await runCli('audit', 'export', '--site', own.slug, '--json');
  expect(JSON.parse(asArray.stdout)).toEqual([...lines].reverse());
  expect((await runCli('audit', 'export', '--until', 'now')).code).toBe(2);
});
