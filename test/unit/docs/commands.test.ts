import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Command } from 'commander';
import { steps } from '../../../scripts/test-steps/table.ts';
import { pages, readBlocks, readInline, root } from '../../harness/pages.ts';

const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
/** npm's own commands that a page may name in addition to scripts. */
const npmCommands = new Set(['install', 'audit', 'ci', 'pack']);
const words = ['quick', '--require', '--help', ...steps.map(({ name }) => name)];

const program = new Command('fieldstone');
const commandFiles = readdirSync(path.join(root, 'services/cli/commands'));
for (const file of commandFiles) (await import(`../../../services/cli/commands/${file}`)).register(program);

/** Returns every command of a page: in its sentences, and line by line in its blocks. */
const linesOf = (page: string) => [
  ...readInline(page).code,
  ...readBlocks(page)
    .filter(({ language, label }) => language === 'sh' && !label)
    .flatMap(({ text }) => text.replaceAll('\\\n', ' ').split(/\n|&&|\||\$\(|;|& /)),
];

const withoutComment = (line: string) =>
  line
    .replace(/\s#.*$/, '')
    .replace(/\).*$/, '')
    .trim();

/** Returns the error in a fieldstone command line, or null. */
function faultOf(words: string[]): string | null {
  let at: Command = program;
  let rest = words;
  for (let next = find(at, rest[0]); next; next = find(at, rest[0])) [at, rest] = [next, rest.slice(1)];
  if (at.commands.length > 0 && rest[0] !== undefined && !rest[0].startsWith('-'))
    return `there is no ${at.name()} ${rest[0]}`;
  const known = [...at.options.flatMap(({ long, short }) => [long, short]), '--help'];
  const unknown = rest.find((word) => word.startsWith('-') && !known.includes(word));
  return unknown ? `${at.name()} does not take ${unknown}` : null;
}

const find = (at: Command, name: string | undefined) => at.commands.find((command) => command.name() === name);

describe.each(pages)('%s names', (page) => {
  const lines = linesOf(page).map(withoutComment);

  test('only commands and options of fieldstone that there are', () => {
    const faults = lines
      .map((line) => /^(?:[A-Z_]+=\S+ )*(?:npx |npm run -s )?fieldstone (?:-- )?([a-z-].*)$/.exec(line)?.[1])
      .filter((line) => line !== undefined)
      .map((line) => faultOf(line.replace(/[[\]]/g, '').split(/\s+/)))
      .filter(Boolean);
    expect(faults).toEqual([]);
  });

  test('only scripts of npm and steps of its tests that there are', () => {
    const wrong = lines.filter((line) => {
      const [, run, name, more] = /^(?:[A-Z_]+=\S+ )*npm (run (?:-s )?)?([\w:-]+)(?: -- ([\w -]+))?/.exec(line) ?? [];
      if (name === undefined) return false;
      if (name === 'test' && more)
        return !more
          .trim()
          .split(/ +/)
          .every((word) => words.includes(word));
      return !Object.hasOwn(scripts, name) && (run !== undefined || !npmCommands.has(name));
    });
    expect(wrong).toEqual([]);
  });

  test('the Node that comes with the packages, since that of the machine may be too old for TypeScript', () => {
    expect(lines.filter((line) => /^node \S+\.ts/.test(line))).toEqual([]);
  });

  test('only files and folders that there are', () => {
    const folders = /^(?:npx node |\.\/)?((?:services|scripts|test|workflows|charts|k8s|docs)\/[\w./-]+)/;
    const named = lines.map((line) => folders.exec(line)?.[1]).filter((name) => name !== undefined);
    expect(named.filter((name) => !existsSync(path.join(root, name)))).toEqual([]);
  });
});
