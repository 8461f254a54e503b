import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { chooseConnection, openClient, requireConnection } from '../../../services/cli/remote/connection.ts';
import { saveProfile } from '../../../services/cli/remote/profiles.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'fieldstone-connection-'));
const before = { config: process.env['XDG_CONFIG_HOME'], cwd: process.cwd() };
const work = { url: 'https://work.example.com', key: 'fs_work' };
const standard = { url: 'https://standard.example.com', key: 'fs_standard' };
const named = { url: 'https://named.example.com', key: 'fs_named' };
const variables = { FIELDSTONE_REMOTE_URL: 'https://variable.example.com', FIELDSTONE_REMOTE_KEY: 'fs_variable' };
const variable = { url: 'https://variable.example.com', key: 'fs_variable' };
const database = { DATABASE_URL: 'postgresql://user@127.0.0.1:1/none' };

beforeAll(async () => {
  process.chdir(folder); // without a `.fieldstone`
  process.env['XDG_CONFIG_HOME'] = folder;
  await saveProfile('work', work);
  await saveProfile('default', standard);
});
afterAll(() => {
  process.chdir(before.cwd);
  if (before.config === undefined) delete process.env['XDG_CONFIG_HOME'];
  else process.env['XDG_CONFIG_HOME'] = before.config;
  rmSync(folder, { recursive: true });
});

describe('the connection of a command', () => {
  test.each([
    ['options', { ...named, ...{ key: 'fs_named' } }, { ...variables, ...database }, named],
    ['a profile', { profile: 'work' }, { ...variables, ...database }, work],
    ['variables', {}, { ...variables, ...database }, variable],
    ['the variable of a profile', {}, { FIELDSTONE_PROFILE: 'work', ...database }, work],
    ['an option, completed by a variable', { url: named.url }, variables, { ...named, key: 'fs_variable' }],
    ['the path of a URL is left out', { url: 'https://named.example.com/dashboard', key: 'fs_named' }, {}, named],
    ['the default profile', {}, {}, standard],
  ])('%s', async (_name, options, env, expected) => {
    expect(await requireConnection(options, env)).toEqual(expected);
    expect(await chooseConnection(options, env)).toEqual(expected);
  });

  test('an installation of this machine precedes the default profile, for commands that can use it', async () => {
    expect(await chooseConnection({}, database)).toBeUndefined();
    expect(await requireConnection({}, database)).toEqual(standard);
  });

  test('--data is this machine, whatever the environment names', async () => {
    expect(await chooseConnection({ data: 'x' }, variables)).toBeUndefined();
  });

  test.each([
    ['--data and a service', { data: 'x', profile: 'work' }, {}],
    ['a profile and a URL', { profile: 'work', url: named.url }, {}],
    ['a URL without a key', { url: named.url }, {}],
    ['a key without a URL', { key: named.key }, {}],
    ['no URL', { url: 'example.com', key: 'fs_x' }, {}],
    ['another protocol', { url: 'ftp://example.com', key: 'fs_x' }, {}],
    ['a key that no header can have', { url: named.url, key: 'fs_x\n' }, {}],
  ])('wrong usage: %s', async (_name, options, env) => {
    await expect(chooseConnection(options, env)).rejects.toMatchObject({ code: 'usage' });
  });

  test('an unknown profile is not found', async () => {
    await expect(requireConnection({ profile: 'none' }, {})).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a request', () => {
  let server: Server | undefined;
  afterEach(async () => {
    await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
    server = undefined;
  });

  async function callServer(listener: RequestListener) {
    const started = createServer(listener);
    server = started;
    await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(started.address() as AddressInfo).port}`;
    return openClient({ url, key: 'fs_x' }).call('listJobs', { site: 'demo' });
  }

  test('follows no redirect, which would send the key elsewhere', async () => {
    const seen: (string | undefined)[] = [];
    const call = callServer((req, res) => {
      seen.push(req.url);
      res.writeHead(302, { Location: '/elsewhere' }).end();
    });
    await expect(call).rejects.toThrow(/redirects to \/elsewhere/);
    expect(seen).toEqual(['/api/v1/sites/demo/jobs']);
  });

  test('says that another program responds', async () => {
    const call = callServer((_req, res) => {
      res.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>It works</h1>');
    });
    await expect(call).rejects.toThrow(/There is no Fieldstone service at/);
  });
});
