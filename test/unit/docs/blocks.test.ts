import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type Block, ownTestOf, ownTests, pages, readBlocks, reasons, root } from '../../harness/pages.ts';

/** Languages that are run, and those that only show something. */
const run = new Set(['sh', 'ts', 'twig', 'json', 'yaml']);
const shown = new Set(['http', 'text', 'mermaid', 'nginx']);
/** The beginning of a line that a reader could copy into a shell. */
const command = /^\s*(?:\$ |curl |fieldstone |npm |npx |node |helm |kubectl |docker )/m;

const blocks = pages.flatMap(readBlocks);
const at = ({ page, line }: Block) => `${page}:${line}`;
const found = (wrong: (block: Block) => boolean) => blocks.filter(wrong).map(at);

/** Whether a block that is not run unchanged names a reason or a test of its own. */
const isKnown = (block: Block) => {
  const { language, label, reason } = block;
  if (reason !== undefined) return Object.hasOwn(reasons, reason);
  if (ownTestOf(block)) return true;
  if (language === 'twig' || language === 'json') return label !== '';
  return label === '' && (run.has(language) || shown.has(language));
};

describe('every block of every page', () => {
  test('is run, shows something, or says why not in a word that is known', () => {
    expect(blocks.length).toBeGreaterThan(20);
    expect(found((block) => !isKnown(block))).toEqual([]);
  });

  test('hides no command where only something is shown', () => {
    expect(found(({ language, text }) => shown.has(language) && command.test(text))).toEqual([]);
  });

  test('that is excused names a reason which some page still needs', () => {
    const used = new Set(blocks.map(({ reason }) => reason).filter((reason) => reason !== undefined));
    expect([...used].sort()).toEqual(Object.keys(reasons).sort());
  });
});

test.each(Object.entries(ownTests))('blocks of %s are read by %s', (word, file) => {
  expect(existsSync(path.join(root, file))).toBe(true);
  expect(readFileSync(path.join(root, file), 'utf8')).toContain(`${word}\\n`);
  expect(blocks.filter((block) => ownTestOf(block) === file).length).toBeGreaterThan(0);
});
