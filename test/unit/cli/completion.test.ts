import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Command } from 'commander';
import { completionScripts } from '../../../services/cli/completion/scripts.ts';
import { type Completion, completionsOf } from '../../../services/cli/completion/words.ts';
import { createProgram } from '../../../services/cli/program.ts';
import { runs, testWith } from '../../harness/programs.ts';

let program: Command;
let completions: Completion[];
beforeAll(async () => {
  program = await createProgram(['completion', 'bash']);
  completions = completionsOf(program);
});

/** Runs a script in a shell and returns what it prints. */
function run(shell: string, script: string): string {
  const { status, stdout, stderr } = spawnSync(shell, ['-c', script], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  return stdout.trim();
}

test('the completion has every command and every long option', async () => {
  const whole = completionsOf(await createProgram([]));
  expect(completions).toEqual(whole);
  const create = completions.find(({ command }) => command === 'fieldstone keys create')!;
  expect(create.options).toContainEqual({ name: '--name', description: 'what the key is for', hasValue: true });
});

describe('in bash', () => {
  test.each([
    [['rel'], 'releases'],
    [['shell', 'p'], 'push pull'],
    [['shell', 'push', 'demo', '--mer'], '--merge'],
    [['shell', '--json', 'pus'], 'push'],
    // an argument is completed as a file by bash itself
    [['shell', 'push', 'demo', ''], ''],
    [['keys', 'nonsense', 'cre'], 'create'],
  ])('%j is completed to "%s"', (words, expected) => {
    const set = `COMP_WORDS=(fieldstone ${words.map((word) => `'${word}'`).join(' ')}) COMP_CWORD=${words.length}`;
    const script = `${completionScripts['bash']!(completions)}\n${set}\n_fieldstone\necho "\${COMPREPLY[@]}"`;
    expect(run('bash', script)).toBe(expected);
  });
});

describe.each(['zsh', 'fish'])('in %s', (shell) => {
  test('the script has each command with its description', () => {
    const script = completionScripts[shell]!(completions);
    const { subcommands } = completions[0]!;
    expect(subcommands.filter(({ name, description }) => !script.includes(name) || !description)).toEqual([]);
    // a quote in a description ends no string
    expect(script).toContain(shell === 'zsh' ? "a site'\\''s theme" : "a site\\'s theme");
  });

  testWith(shell, runs([shell, '--version']))('the shell can parse the script', () => {
    const { status, stderr } = spawnSync(shell, ['--no-execute'], {
      input: completionScripts[shell]!(completions),
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
  });
});
