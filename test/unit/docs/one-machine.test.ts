import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { Command } from 'commander';
import { register } from '../../../services/cli/commands/up.ts';
import { planRole, roleNames } from '../../../services/cli/up/roles.ts';
import { root } from '../../harness/pages.ts';

const page = readFileSync(path.join(root, 'docs/one-machine.md'), 'utf8');
const unit = /```ini\n([^`]*)```/.exec(page)![1]!.replaceAll(/^#.*$/gm, '');

/** Returns the value of a setting of the unit, which must occur once. */
function settingOf(name: string): string {
  const values = [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value!);
  expect(values).toHaveLength(1);
  return values[0]!;
}

const [node, program, ...args] = settingOf('ExecStart').split(' ') as [string, string, ...string[]];
const inCheckout = (file: string) => path.join(root, path.relative('/opt/fieldstone', file));

test('the unit starts programs that an installation has', () => {
  expect([node, program].map(inCheckout).filter((file) => !existsSync(file))).toEqual([]);
});

test('the unit gives `up` options that it has, and the data folder that systemd makes', () => {
  const fieldstone = new Command();
  register(fieldstone);
  const up = fieldstone.commands[0]!.exitOverride().action(() => undefined);
  fieldstone.parse(args, { from: 'user' });
  expect(args[0]).toBe(up.name());
  expect(up.opts().data).toBe(`/var/lib/${settingOf('StateDirectory')}`);
});

test('systemd stops `up` alone, and waits longer than it gives its processes', () => {
  const longestMs = Math.max(...roleNames.map((role) => planRole(role, {}, 1).stopTimeoutMs));
  const postgresStopMs = 30_000;
  expect(settingOf('KillMode')).toBe('mixed');
  expect(Number(settingOf('TimeoutStopSec')) * 1000).toBeGreaterThan(longestMs + postgresStopMs + 10_000);
  expect(page).toContain(`--stop-timeout ${settingOf('TimeoutStopSec')} `);
});

test('the unit leaves what Node and the sandbox need', () => {
  expect(unit).not.toMatch(/^MemoryDenyWriteExecute=(?!no)/m);
  expect(settingOf('RestrictNamespaces').split(' ').sort()).toEqual(['net', 'user']);
});
