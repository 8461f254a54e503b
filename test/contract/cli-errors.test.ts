import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Command } from 'commander';
import { createProgram } from '../../services/cli/program.ts';
import { findFreePort } from '../../services/engines-local/ports.ts';
import { closeStack, makeKey, stack } from '../harness/api.ts';

// Contract, Processes: every command takes --json, exits 0 to 5, and prints errors as {"error": {code, message}} with it.
const exitCodes = { ok: 0, failed: 1, usage: 2, not_found: 4, unavailable: 5 } as const;
type Outcome = keyof typeof exitCodes;

interface Row {
  /** Valid arguments, with records that do not exist. */
  args: string[];
  /** The result on a running installation; null: the command does not end by itself. */
  running: Outcome | null;
  /** The result without the engines; null: the process waits for them. */
  away: Outcome | null;
  /** Arguments that only this command rejects, in addition to an unknown option, which all reject. */
  wrong?: string[];
  /** It works over REST only. */
  remote?: true;
}

const id = '00000000-0000-4000-8000-000000000000';
const folder = mkdtempSync(path.join(tmpdir(), 'fieldstone-cli-'));
const file = path.join(folder, 'body.json');
writeFileSync(file, '{}');

const there = (...args: string[]): Row => ({ args, running: 'ok', away: 'unavailable' });
const missing = (...args: string[]): Row => ({ args, running: 'not_found', away: 'unavailable' });
const remote = (...args: string[]): Row => ({ ...missing(...args), remote: true });
const role: Row = { args: [], running: null, away: null };
const newKey = ['--name', 'cli', '--scopes', 'publish', '--sites', 'none'];

const rows: Record<string, Row> = {
  up: {
    args: ['--data', path.join(folder, 'up'), '--port', '0', '--edge-port', '0'],
    running: null,
    away: 'unavailable',
    wrong: ['--port', 'http'],
  },
  gateway: role,
  worker: role,
  edge: role,
  migrate: there(),
  // it prints what is bad on standard output; the error names the checks
  doctor: { args: [], running: 'ok', away: 'failed' },
  'keys create': { ...there(...newKey), wrong: ['--name', 'cli'] },
  'keys list': there(),
  'keys rotate': { ...missing('none'), wrong: ['none', '--overlap', 'long'] },
  'keys revoke': missing('none'),
  'users create': { ...there(`cli-${Date.now()}@example.com`), wrong: ['a@example.com', '--role', 'king'] },
  'users list': there(),
  'users deactivate': missing('nobody@example.com'),
  'users activate': missing('nobody@example.com'),
  'users grant': missing('nobody@example.com', '--role', 'viewer', '--site', '*'),
  'users revoke': missing('nobody@example.com', '--site', '*'),
  'users invite': {
    ...missing('nobody@example.com', '--role', 'viewer', '--site', 'no-such-site'),
    wrong: ['nobody@example.com', '--role', 'king', '--site', '*'],
  },
  'users reset': missing('nobody@example.com'),
  'users link': missing('nobody@example.com'),
  'teams role': missing('no-team', 'viewer'),
  'teams create': { ...there(`cli-${Date.now()}`), wrong: [] },
  'teams list': there(),
  'teams sites': missing('no-team', 'a'),
  'teams add': missing('no-team', 'nobody@example.com'),
  'teams remove': missing('no-team', 'nobody@example.com'),
  'teams delete': missing('no-team'),
  'webhooks list': missing('--site', 'no-such-site'),
  'webhooks deliveries': { ...missing('nobody'), wrong: ['nobody', '--status', 'lost'] },
  'webhooks show': missing('nothing'),
  'webhooks replay': { ...missing('nothing'), wrong: ['nothing', '--status', 'failed'] },
  'webhooks secret': missing('nobody'),
  'webhooks rotate': missing('nobody'),
  'webhooks enable': missing('nobody'),
  'webhooks disable': missing('nobody'),
  'webhooks send': missing(file, '--integration', 'nobody'),
  'events list': { ...missing('--site', 'no-such-site'), wrong: ['--since', 'yesterday'] },
  'events show': missing(id),
  'events replay': { ...missing(id), wrong: [] },
  'events endpoints': there(),
  'events secret': missing(id),
  'events rotate': missing(id),
  'events enable': missing(id),
  'events disable': missing(id),
  'events test': missing(id),
  'shell push': missing('no-such-site', folder),
  'shell pull': remote('no-such-site', path.join(folder, 'pulled')),
  'shell diff': { ...remote('no-such-site', folder), wrong: ['no-such-site'] },
  'shell dev': { ...remote('no-such-site', folder, '--port', '0'), wrong: ['no-such-site', folder, '--port', 'http'] },
  'content list': { ...remote('no-such-site'), wrong: ['no-such-site', '--limit', 'all'] },
  'content show': remote('no-such-site', id),
  'content create': { ...remote('no-such-site', '--title', 'A'), wrong: ['no-such-site'] },
  'content update': { ...remote('no-such-site', id, '--title', 'A'), wrong: ['no-such-site', id, '--body', 'a.doc'] },
  'media list': remote('no-such-site'),
  'media upload': remote('no-such-site', file),
  'redirects list': remote('no-such-site'),
  'jobs list': remote('no-such-site'),
  // it waits for an approval
  login: {
    args: ['http://127.0.0.1:1'],
    running: null,
    away: 'unavailable',
    wrong: ['example.com'],
  },
  // these use no service
  'profiles save': {
    args: ['cli', '--url', 'http://localhost', '--key', 'fs_x'],
    running: 'ok',
    away: 'ok',
    wrong: ['cli'],
  },
  'profiles list': { args: [], running: 'ok', away: 'ok' },
  'profiles remove': { args: ['nobody'], running: 'not_found', away: 'not_found' },
  completion: { args: ['bash'], running: 'ok', away: 'ok', wrong: ['csh'] },
  'audit export': { ...there('--until', '2000-01-01T00:00:00Z'), wrong: ['--since', 'yesterday'] },
  'secrets rekey': there(),
  publish: missing('no-such-site'),
  'releases list': missing('no-such-site'),
  'releases rollback': missing('no-such-site', id),
  'releases why': missing('no-such-site', '/'),
  'backups create': { ...missing('no-such-site'), wrong: [] },
  // backups outlive their site
  'backups list': there('--site', 'no-such-site'),
  'backups verify': missing(id),
  'backups restore': missing(id),
  // never on the stack's own database, whose engines it would switch
  'engines set': {
    args: ['--actors', 'embedded', '--data', path.join(folder, 'nowhere')],
    running: 'not_found',
    away: 'not_found',
    wrong: [],
  },
  'objects copy': {
    args: ['--from', 'files', '--to', 's3', '--data', path.join(folder, 'nowhere')],
    running: 'not_found',
    away: 'not_found',
    wrong: ['--from', 'files', '--to', 'tape'],
  },
};

/** Returns every command with an action, by its words. */
function leavesOf(command: Command, words: string[] = []): { name: string; command: Command }[] {
  if (command.commands.length === 0) return [{ name: words.join(' '), command }];
  return command.commands.flatMap((child) => leavesOf(child, [...words, child.name()]));
}

interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

const programFile = path.join(import.meta.dirname, '../../services/cli/fieldstone.js');

function run(args: string[], env: Record<string, string>): Promise<Run> {
  return new Promise((resolve) => {
    execFile(process.execPath, [programFile, ...args, '--json'], { env, cwd: folder }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

const names = Object.keys(rows);
const results = new Map<string, Run>();

/** Each case runs in its own process, a few concurrently. */
beforeAll(async () => {
  const { DATABASE_URL, ...others } = stack.env;
  const closed = await findFreePort();
  const config = { XDG_CONFIG_HOME: path.join(folder, 'config') };
  const running = { ...stack.env, ...config };
  const away = { ...others, ...config, DATABASE_URL: `postgresql://nobody@127.0.0.1:${closed}/none` };
  const service = { FIELDSTONE_REMOTE_KEY: await makeKey(), FIELDSTONE_REMOTE_URL: stack.gateways[0]! };
  const noService = { ...service, FIELDSTONE_REMOTE_URL: `http://127.0.0.1:${closed}` };
  const cases = names.flatMap((name) => {
    const { args, running: isRunning, away: isAway, wrong, remote: isRemote } = rows[name]!;
    const words = name.split(' ');
    return [
      ...(wrong ? [{ key: `${name} wrong`, args: [...words, ...wrong], env: away }] : []),
      ...(isRunning
        ? [{ key: `${name} running`, args: [...words, ...args], env: { ...running, ...(isRemote ? service : {}) } }]
        : []),
      ...(isAway
        ? [{ key: `${name} away`, args: [...words, ...args], env: { ...away, ...(isRemote ? noService : {}) } }]
        : []),
    ];
  });
  async function work(): Promise<void> {
    for (let one = cases.shift(); one; one = cases.shift()) results.set(one.key, await run(one.args, one.env));
  }
  await Promise.all(Array.from({ length: 4 }, work));
}, 900_000);

afterAll(closeStack);

/** Compares a run with its expected result. */
function expectEnd(key: string, outcome: Outcome): void {
  const { code, stdout, stderr } = results.get(key)!;
  const lines = stderr.trimEnd().split('\n');
  if (outcome === 'ok') {
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(() => JSON.parse(stdout)).not.toThrow();
    return;
  }
  const error = { code: outcome, message: expect.stringMatching(/^[^\n]{10,}[.!?)]$/) };
  expect({ code, error: JSON.parse(lines.at(-1)!) }).toEqual({ code: exitCodes[outcome], error: { error } });
}

test('the table has every command there is, and each takes --json', async () => {
  const leaves = leavesOf(await createProgram([]));
  expect(leaves.map(({ name }) => name).sort()).toEqual([...names].sort());
  const without = leaves.filter(({ command }) => !command.options.some(({ long }) => long === '--json'));
  expect(without.map(({ name }) => name)).toEqual([]);
});

describe.each(names)('%s --json', (name) => {
  const { running, away, wrong } = rows[name]!;

  test('an option that there is not is wrong usage', async () => {
    const args = [...name.split(' '), '--no-such-option', '--json'];
    const parse = (await createProgram(args)).parseAsync(args, { from: 'user' });
    await expect(parse).rejects.toMatchObject({ name: 'CommanderError', exitCode: 1 });
  });

  if (wrong) {
    test('wrong usage: exit 2, the error as JSON and nothing else', () => {
      expectEnd(`${name} wrong`, 'usage');
      const { stdout, stderr } = results.get(`${name} wrong`)!;
      expect([stdout, stderr.trimEnd().split('\n').length]).toEqual(['', 1]);
    });
  }

  if (running) {
    test(`on a running installation: ${running}`, () => {
      expectEnd(`${name} running`, running);
    });
  }

  if (away) {
    test(`where the engines are away: ${away}`, () => {
      expectEnd(`${name} away`, away);
    });
  }
});

test.each([
  [['nonsense'], 'usage'],
  [['keys'], 'usage'],
  [['publish', 'x', '--no-such-option'], 'usage'],
  [['gateway'], 'failed'],
] as const)('%j with --json and no settings ends with the code of "%s"', async (args, outcome) => {
  const { PATH = '', HOME = '' } = process.env;
  const { code, stderr } = await run([...args], { PATH, HOME });
  const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1)!);
  expect([code, error]).toEqual([exitCodes[outcome], { code: outcome, message: expect.any(String) }]);
});

test('without --json an error is one sentence', async () => {
  const plain = (...args: string[]) =>
    new Promise<Run>((resolve) => {
      execFile(process.execPath, [programFile, ...args], { env: stack.env }, (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
      });
    });
  expect(await plain('publish', 'no-such-site')).toEqual({
    code: 4,
    stdout: '',
    stderr: 'There is no site no-such-site.\n',
  });
  expect(await plain('keys', 'revoke')).toEqual({
    code: 2,
    stdout: '',
    stderr: "Missing required argument 'id'; see fieldstone --help.\n",
  });
});
