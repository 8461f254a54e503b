import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../../harness/pages.ts';

const folder = path.join(root, 'docs/decisions');
const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');
const records = readdirSync(folder)
  .filter((file) => file !== 'README.md')
  .sort();

/** The rows of the index: number, file, title and decision. */
const rows = [...read('README.md').matchAll(/^\| \[(\d{4})\]\((\S+)\) \| (.+) \| (.+) \|$/gm)].map(
  ([, number, file, title, decision]) => ({ number, file, title, decision }),
);

test('the index lists every decision record once, in the order of their numbers', () => {
  expect(rows.map(({ file }) => file)).toEqual(records);
  expect(new Set(rows.map(({ number }) => number)).size).toBe(rows.length);
});

test.each(rows)('$file has the number and the title of its row in the index', ({ number, file, title }) => {
  expect(file!.slice(0, 5)).toBe(`${number}-`);
  expect(read(file!).split('\n')[0]).toBe(`# ${number}: ${title}`);
});
