import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { setUserActive } from '../../services/features/users/index.ts';
import { routes } from '../../services/gateway/routes.ts';
import { closeStack, makeSite, request, stack, stackDatabase, type TestSite } from '../harness/api.ts';
import { type DashboardClient, openDashboard, signInByLink } from '../harness/dashboard.ts';
import { makeMember } from '../harness/people.ts';
import { mayUse, nameOf, pathOn } from '../harness/rights.ts';

let site: TestSite;
let editor: DashboardClient;
let editorId: string;
let editorEmail: string;
beforeAll(async () => {
  site = await makeSite();
  const user = await makeMember(site.slug, 'editor');
  [editorId, editorEmail] = [user.id, user.email];
  editor = await signInByLink(user.id);
});
afterAll(closeStack);

const onSite = (path: string) => `/v1/sites/${site.slug}${path}`;
const onSites = routes.filter(({ path }) => path.includes(':site'));

test('a signed-in user writes, reads and changes records without a key; lost updates are refused', async () => {
  const created = await editor.call('POST', onSite('/content'), { title: 'From the dashboard' });
  expect([created.status, created.data.title]).toEqual([201, 'From the dashboard']);
  const path = onSite(`/content/${created.data.id}`);
  const read = await editor.call('GET', path);
  const headers = { 'If-Match': read.headers.get('etag')! };
  expect((await editor.call('PATCH', path, { title: 'One' }, { headers })).status).toBe(200);
  const late = await editor.call('PATCH', path, { title: 'Two' }, { headers });
  expect([late.status, late.error.code]).toEqual([412, 'precondition_failed']);
});

test('a repeated request with an Idempotency-Key gets the first response', async () => {
  const headers = { 'Idempotency-Key': randomUUID() };
  const send = () => editor.call('POST', onSite('/content'), { title: 'Once' }, { headers });
  const [first, second] = [await send(), await send()];
  expect([second.status, second.data.id]).toEqual([201, first.data.id]);
  expect(second.headers.get('idempotency-replayed')).toBe('true');
});

test('revisions and the audit log name the user', async () => {
  const { data } = await editor.call('POST', onSite('/content'), { title: 'Named' });
  const revisions = await editor.call('GET', onSite(`/content/${data.id}/revisions`));
  expect(revisions.data[0].by).toMatchObject({ type: 'user', id: editorId, user: editorEmail });
  const { data: changes } = await request('GET', `/sites/${site.slug}/audit`, { key: site.key });
  const change = changes.find(({ target }: { target: { id: string } }) => target.id === data.id);
  expect(change).toMatchObject({ operation: 'createContent', via: 'dashboard', user: { id: editorId } });
});

test('paths that end in a wildcard work', async () => {
  const designer = await signInByLink((await makeMember(site.slug, 'owner')).id);
  const path = onSite('/shell/file/partials/a.twig');
  const put = await designer.call('PUT', path, { any: 'bytes' });
  const read = await designer.call('GET', path);
  expect([put.status, read.status]).toEqual([201, 200]);
});

describe('refused', () => {
  test('a stranger, on every operation', async () => {
    const stranger = openDashboard();
    for (const route of routes) {
      const { status } = await stranger.call(route.method, `/v1${pathOn(site.slug, route)}`);
      expect([nameOf(route), status]).toEqual([nameOf(route), 401]);
    }
  });

  test('a page of another origin, whose browser sends our cookie', async () => {
    for (const headers of [{ Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'cross-site' }] as Record<
      string,
      string
    >[]) {
      const { status, error } = await editor.call('POST', onSite('/content'), { title: 'x' }, { headers });
      expect([status, error.code]).toEqual([403, 'forbidden']);
    }
  });

  test('the cookie on the REST API, and a key instead of a cookie', async () => {
    const headers = { Cookie: editor.cookie };
    expect((await request('GET', `/sites/${site.slug}/content`, { headers })).status).toBe(401);
    const reply = await request('GET', `//dashboard/api${onSite('/content')}`, { key: site.key });
    expect(reply.status).toBe(401);
  });

  test('a deactivated user, at once', async () => {
    const user = await makeMember(site.slug, 'owner');
    const client = await signInByLink(user.id);
    expect((await client.call('GET', onSite('/content'))).status).toBe(200);
    await stackDatabase().transaction((tx) => setUserActive(tx, user.email, false));
    expect((await client.call('GET', onSite('/content'))).status).toBe(401);
  });

  test.each(['viewer', 'author', 'editor'] as const)(
    'a %s, on every operation that the role does not allow',
    async (role) => {
      const client = await signInByLink((await makeMember(site.slug, role)).id);
      for (const route of onSites) {
        const body = route.body.kind === 'ignored' ? undefined : {};
        const { status } = await client.call(route.method, `/v1${pathOn(site.slug, route)}`, body);
        expect([nameOf(route), status === 403]).toEqual([nameOf(route), !mayUse(role, route)]);
      }
    },
  );
});

test('a file is uploaded in parts under the path of the dashboard', async () => {
  const meta = (values: Record<string, string>) =>
    Object.entries(values)
      .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
      .join(',');
  const send = (method: string, url: string, headers: Record<string, string>, body: string | null = null) =>
    fetch(new URL(url, stack.gateways[0]), {
      method,
      body,
      headers: { Cookie: editor.cookie, Origin: stack.env['FIELDSTONE_URL']!, 'Tus-Resumable': '1.0.0', ...headers },
    });
  const begun = await send('POST', '/dashboard/uploads', {
    'Upload-Length': '5',
    'Upload-Metadata': meta({ site: site.slug, filename: 'a.txt' }),
  });
  const location = begun.headers.get('location')!;
  expect([begun.status, location]).toEqual([201, expect.stringMatching(/^\/dashboard\/uploads\//)]);
  const offset = { 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' };
  const done = await send('PATCH', location, offset, 'hello');
  expect([done.status, done.headers.get('x-media-id')]).toEqual([204, expect.any(String)]);
  expect((await send('HEAD', location, { Cookie: '' })).status).toBe(401);
});
