import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { setUserActive } from '../../services/features/users/index.ts';
import { closeStack, eventually, makeSite, request, stack, stackDatabase, type TestSite } from '../harness/api.ts';
import { type DashboardClient, openDashboard, signInByLink } from '../harness/dashboard.ts';
import { makeMember, type TestUser } from '../harness/people.ts';

const program = path.join(import.meta.dirname, '../../services/cli/fieldstone.js');
const folder = mkdtempSync(path.join(tmpdir(), 'fieldstone-login-'));
let site: TestSite;
let user: TestUser;
let dashboard: DashboardClient;
beforeAll(async () => {
  site = await makeSite();
  user = await makeMember(site.slug, 'editor');
  dashboard = await signInByLink(user.id);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await closeStack();
});

const command = openDashboard();
const open = async (members: Record<string, unknown> = {}) =>
  command.call('POST', '/key-requests', { name: 'laptop', scopes: ['content:read'], sites: ['*'], ...members });
const claim = (token: string) => command.call('POST', '/key-requests/claim', { token });

/** Runs `fieldstone login` and returns the code that it shows, and its end. */
async function startLogin(...args: string[]) {
  const { PATH = '' } = process.env;
  const env = { PATH, HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn(process.execPath, [program, 'login', stack.gateways[0]!, ...args], { env, cwd: folder });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const stdout = text(child.stdout);
  const code = await eventually('the code is shown', async () => /code ([A-Z]{4}-[A-Z]{4}) at http/.exec(stderr)?.[1]);
  return { code, end: async () => ({ code: await ended, stdout: await stdout, stderr }) };
}

describe('fieldstone login', () => {
  // rule: beyond.41
  test('keeps the key that a signed-in user approves, in a file of the user alone', async () => {
    const login = await startLogin('--name', 'my laptop', '--json');
    const { data } = await dashboard.call('POST', '/key-requests/inspect', { code: login.code });
    expect(data).toMatchObject({ code: login.code, name: 'my laptop', sites: ['*'], address: expect.any(String) });
    expect((await dashboard.call('POST', '/key-requests/approve', { code: login.code.toLowerCase() })).status).toBe(
      200,
    );
    const { code, stdout } = await login.end();
    const result = JSON.parse(stdout);
    expect([code, result]).toMatchObject([
      0,
      { profile: 'default', url: stack.gateways[0], user: user.email, sites: ['*'] },
    ]);
    expect(stdout).not.toContain('fs_');

    const file = path.join(folder, 'fieldstone', 'profiles.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { key } = JSON.parse(readFileSync(file, 'utf8')).profiles.default;
    expect((await request('GET', `/sites/${site.slug}/content`, { key })).status).toBe(200);
    // it has the rights of its user, and no others
    expect((await request('GET', '/sites/demo/content', { key })).status).not.toBe(200);
    const [change] = await stackDatabase().query(
      "SELECT * FROM audit_log WHERE target_kind = 'keys' AND target_id = $1",
      [result.key_id],
    );
    expect(change).toMatchObject({ operation: 'keys.create', via: 'dashboard', user_id: user.id });
  });

  test('a denied request ends with 3 and keeps nothing', async () => {
    const login = await startLogin('--profile', 'denied', '--json');
    await dashboard.call('POST', '/key-requests/deny', { code: login.code });
    const { code, stderr } = await login.end();
    expect([code, JSON.parse(stderr.trim().split('\n').at(-1)!).error.code]).toEqual([3, 'refused']);
    const kept = readFileSync(path.join(folder, 'fieldstone', 'profiles.json'), 'utf8');
    expect(kept).not.toContain('denied');
  });
});

describe('a request for a key', () => {
  // rule: threat.66
  test('is open until somebody decides, and its key is shown once', async () => {
    const { status, data } = await open();
    expect([status, data.code]).toEqual([201, expect.stringMatching(/^[B-Z]{4}-[B-Z]{4}$/)]);
    expect(data.url.endsWith(`/dashboard/key-request#${data.code}`)).toBe(true);
    expect((await claim(data.token)).data).toEqual({ status: 'open', user: null, key: null });
    await dashboard.call('POST', '/key-requests/approve', { code: data.code });
    const [one, other] = await Promise.all([claim(data.token), claim(data.token)]);
    expect([one.status, other.status].sort()).toEqual([200, 404]);
    const claimed = one.status === 200 ? one.data : other.data;
    expect(claimed).toMatchObject({
      status: 'approved',
      user: user.email,
      key: { name: 'laptop', scopes: ['content:read'] },
    });
    expect((await claim(data.token)).status).toBe(404);
  });

  // rule: threat.66
  test('is decided once', async () => {
    const { data } = await open();
    const decide = (decision: string) => dashboard.call('POST', `/key-requests/${decision}`, { code: data.code });
    expect((await decide('deny')).status).toBe(200);
    expect((await decide('approve')).status).toBe(404);
    expect((await dashboard.call('POST', '/key-requests/inspect', { code: data.code })).status).toBe(404);
    expect((await claim(data.token)).status).toBe(403);
  });

  test('expires, approved or not', async () => {
    const [approved, waiting] = [(await open()).data, (await open()).data];
    await dashboard.call('POST', '/key-requests/approve', { code: approved.code });
    await stackDatabase().query(
      "UPDATE key_requests SET expires_at = now() - INTERVAL '1 second' WHERE code = ANY($1)",
      [[approved.code, waiting.code]],
    );
    expect((await claim(approved.token)).status).toBe(404);
    expect((await dashboard.call('POST', '/key-requests/approve', { code: waiting.code })).status).toBe(404);
  });

  test('gives no key of a user who was deactivated meanwhile', async () => {
    const gone = await makeMember(site.slug, 'editor');
    const { data } = await open();
    await (await signInByLink(gone.id)).call('POST', '/key-requests/approve', { code: data.code });
    await stackDatabase().transaction((tx) => setUserActive(tx, gone.email, false));
    expect((await claim(data.token)).status).toBe(404);
  });

  // rule: threat.66
  test('cannot be seen or decided without a session, nor from a page elsewhere', async () => {
    const { data } = await open();
    for (const decision of ['inspect', 'approve', 'deny']) {
      expect((await command.call('POST', `/key-requests/${decision}`, { code: data.code })).status).toBe(401);
      const headers = { Origin: 'https://elsewhere.example.com', 'Sec-Fetch-Site': 'cross-site' };
      expect((await dashboard.call('POST', `/key-requests/${decision}`, { code: data.code }, { headers })).status).toBe(
        403,
      );
    }
    expect((await claim(data.token)).data.status).toBe('open');
  });

  test.each([
    [{ scopes: ['everything'] }, 'scopes'],
    [{ scopes: [] }, 'scopes'],
    [{ sites: [] }, 'sites'],
    [{ sites: ['No Slug'] }, 'sites'],
    [{ name: ' ' }, 'name'],
    [{ user: randomUUID() }, 'user'],
  ])('%j is 422', async (members, member) => {
    const { status, error } = await open(members);
    expect([status, error.details[0].path]).toEqual([422, expect.stringContaining(member)]);
  });

  test('stores no token, only its hash', async () => {
    const { data } = await open();
    const [row] = await stackDatabase().query<Record<string, unknown>>('SELECT * FROM key_requests WHERE code = $1', [
      data.code,
    ]);
    expect(JSON.stringify(row)).not.toContain(data.token);
  });
});
