import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { closeStack, makeSite } from '../harness/api.ts';
import { runCli } from '../harness/cli.ts';

afterAll(closeStack);

const makeKey = (...options: string[]) =>
  runCli('keys', 'create', '--name', 'k', '--scopes', 'admin', '--sites', '*', ...options, '--json');

/** Expects exit code 1, nothing on standard output and one line on standard error; returns the line. */
async function refusal(args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCli(...args);
  expect({ code, stdout, lines: stderr.trimEnd().split('\n').length }).toEqual({ code: 1, stdout: '', lines: 1 });
  return stderr.trim();
}

describe('keys create', () => {
  test('keeps each scope and each site once, in the order given; sites to come may be named', async () => {
    const { stdout } = await makeKey(
      ...['--scopes', 'publish,content:read,,publish', '--sites', 'to-come-b, to-come-a,to-come-b,'],
    );
    const made = JSON.parse(stdout);
    expect(made).toMatchObject({ scopes: ['publish', 'content:read'], sites: ['to-come-b', 'to-come-a'] });
    const listed = JSON.parse((await runCli('keys', 'list', '--json')).stdout);
    expect(listed.find(({ id }: { id: string }) => id === made.id)).toMatchObject({
      scopes: ['publish', 'content:read'],
      sites: ['to-come-b', 'to-come-a'],
    });
  });

  // rule: key.3, key.4, break.20
  test('shows the key once: the list has its name, scopes and sites, and nothing of its secret', async () => {
    const made = JSON.parse((await makeKey('--name', 'Pipeline', '--scopes', 'publish', '--sites', 'a,b')).stdout);
    expect(made).toEqual({
      id: made.key.slice(3, 11),
      key: expect.stringMatching(/^fs_.{41}$/),
      name: 'Pipeline',
      scopes: ['publish'],
      sites: ['a', 'b'],
      expires_at: null,
    });
    const { stdout } = await runCli('keys', 'list', '--json');
    const { key, ...known } = made;
    expect(JSON.parse(stdout).find(({ id }: { id: string }) => id === made.id)).toEqual({
      ...known,
      user: 'admin@localhost',
      created_at: expect.stringMatching(/Z$/),
      last_used_at: null,
      revoked_at: null,
    });
    for (const text of [stdout, (await runCli('keys', 'list')).stdout]) {
      expect(text).toContain('Pipeline');
      expect([text.includes(key.slice(12)), text.includes('argon2')]).toEqual([false, false]);
    }
  });

  test.each([
    ['a site slug in capitals', ['--sites', 'News'], 'sites.0: no site can have the slug "News"'],
    ['a site slug with a star in it', ['--sites', 'a,b*'], 'sites.1: no site can have the slug "b*"'],
    ['a site slug that is too long', ['--sites', 'a'.repeat(121)], 'sites.0: no site can have the slug'],
    ['no site', ['--sites', ' , '], 'must name at least one site'],
    ['no scope', ['--scopes', ','], 'must name at least one scope'],
    ['an unknown scope', ['--scopes', 'publish,content'], 'scopes.1: there is no scope "content"'],
    ['a name of 5,000 characters', ['--name', 'n'.repeat(5000)], 'name: must be at most 200 characters'],
    ['a blank name', ['--name', ' '], 'name: must not be empty'],
    ['an expiry in the past', ['--expires', '2020-01-01T00:00:00Z'], 'expires_at: must be in the future'],
    ['an expiry that is no timestamp', ['--expires', 'tomorrow'], 'expires_at: '],
    ['an owner left empty', ['--user', ''], 'user: there is no user ""'],
    ['an unknown owner', ['--user', 'nobody@example.com'], 'user: there is no user "nobody@example.com"'],
  ])('refuses %s', async (_what, options, sentence) => {
    const { code, stdout, stderr } = await makeKey(...options);
    expect([code, stdout]).toEqual([1, '']);
    expect(JSON.parse(stderr).error.message).toContain(sentence);
  });
});

test.each([
  ['no @', 'someone'],
  ['a line break', 'a@b\nc'],
  ['a control character', 'a\u0007@b'],
  ['more than 254 characters', `${'a'.repeat(250)}@b.com`],
])('users create refuses an address with %s', async (_what, email) => {
  expect(await refusal(['users', 'create', email])).toContain('is not an e-mail address');
});

describe('roles', () => {
  const email = () => `u-${randomUUID()}@example.com`;
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCli(...args, '--json');
    expect([args.join(' '), code, stderr]).toEqual([args.join(' '), 0, '']);
    return JSON.parse(stdout);
  };
  const listed = async (address: string) =>
    (await json('users', 'list')).find((user: { email: string }) => user.email === address);

  test('are none at first, then those that were granted, and an empty list when all are revoked', async () => {
    const [site, ada] = [await makeSite(), email()];
    expect(await json('users', 'create', ada)).toMatchObject({ email: ada, role: 'member', active: true, roles: null });
    const granted = await json('users', 'grant', ada, '--site', site.slug, '--role', 'author');
    expect(granted.roles).toEqual([{ site: site.slug, role: 'author', team: null }]);
    await json('users', 'grant', ada, '--site', '*', '--role', 'viewer');
    const raised = await json('users', 'grant', ada, '--site', site.slug, '--role', 'editor');
    expect(raised.roles).toHaveLength(2);
    expect(raised).toEqual(await listed(ada));
    expect(raised.roles).toContainEqual({ site: site.slug, role: 'editor', team: null });
    await json('users', 'revoke', ada, '--site', '*');
    expect((await json('users', 'revoke', ada, '--site', site.slug)).roles).toEqual([]);
  });

  test('can be given when a user is made', async () => {
    const [site, ada, grace] = [await makeSite(), email(), email()];
    const made = await json('users', 'create', ada, '--site', site.slug, '--role', 'owner');
    expect(made.roles).toEqual([{ site: site.slug, role: 'owner', team: null }]);
    expect(await json('users', 'create', grace, '--role', 'admin')).toMatchObject({ role: 'admin' });
  });

  test('come from teams as well', async () => {
    const [ada, team] = [email(), `t-${randomUUID()}`];
    await json('users', 'create', ada);
    await json('teams', 'create', team, '--sites', 'one,two');
    await json('teams', 'add', team, ada);
    expect((await listed(ada)).roles).toBeNull();
    expect(await json('teams', 'role', team, 'editor')).toMatchObject({ role: 'editor', members: [ada] });
    const given = [
      { site: 'one', role: 'editor', team },
      { site: 'two', role: 'editor', team },
    ];
    expect((await listed(ada)).roles).toEqual(given);
    await json('teams', 'delete', team);
    expect((await listed(ada)).roles).toEqual([]);
  });

  test('of an administrator can be granted and revoked, but the last active one stays', async () => {
    const ada = email();
    await json('users', 'create', ada);
    expect((await json('users', 'grant', ada, '--role', 'admin')).role).toBe('admin');
    expect(await json('users', 'revoke', ada, '--role', 'admin')).toMatchObject({ role: 'member', roles: [] });
  });

  test.each([
    [
      'a role without a site',
      'grant a@b --role editor',
      2,
      "--role editor needs --site, or --site '*' for every site.",
    ],
    ['a site without a role', 'grant a@b --site x', 2, '--site needs --role owner, editor, author, viewer.'],
    ['nothing', 'grant a@b', 2, 'Say what to grant: --role admin, or --site and --role.'],
    ['nothing to revoke', 'revoke a@b', 2, 'Say what to revoke: --role admin, or --site.'],
    ['a role that there is not', 'grant a@b --site x --role chief', 2, 'chief'],
    [
      'an unknown user',
      'grant nobody@example.com --site * --role viewer',
      4,
      'There is no such user nobody@example.com.',
    ],
    [
      'an unknown site',
      'grant admin@localhost --site no-such-site --role viewer',
      4,
      'There is no such site no-such-site.',
    ],
    [
      'a role that was not given',
      'revoke admin@localhost --site no-such-site',
      4,
      'There is no such role of admin@localhost',
    ],
  ])('of %s: the command is refused', async (_what, words, code, sentence) => {
    const found = await runCli('users', ...words.split(' '));
    expect([found.code, found.stdout]).toEqual([code, '']);
    expect(found.stderr).toContain(sentence);
  });

  test('of an unknown site are refused before a user is made', async () => {
    const ada = email();
    expect((await runCli('users', 'create', ada, '--site', 'no-such-site', '--role', 'viewer')).code).toBe(4);
    expect(await listed(ada)).toBeUndefined();
  });
});

describe('teams', () => {
  test('a team keeps each site once, and names no site that cannot be', async () => {
    const name = `t${randomUUID()}`;
    const { stdout } = await runCli('teams', 'create', name, '--sites', 'one,two,one', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ slug: name, sites: ['one', 'two'] });
    expect(await refusal(['teams', 'sites', name, 'one,T W O'])).toBe('sites.1: no site can have the slug "T W O"');
    const changed = await runCli('teams', 'sites', name, 'three,three', '--json');
    expect(JSON.parse(changed.stdout).sites).toEqual(['three']);
    expect((await runCli('teams', 'delete', name)).code).toBe(0);
  });

  test.each([
    ['a blank name', ['  ']],
    ['a name of 5,000 characters', ['n'.repeat(5000)]],
    ['a site that cannot be', ['x', '--sites', 'No']],
  ])('create refuses %s', async (_what, args) => {
    await refusal(['teams', 'create', ...args]);
  });
});
