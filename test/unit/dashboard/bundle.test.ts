import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { BundleIndex } from '../../../services/dashboard/bundle.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'fieldstone-bundle-'));
const script = path.join(import.meta.dirname, '../../../services/dashboard/build.ts');
const sizeOf = (name: string) => statSync(path.join(folder, name)).size;
let index: BundleIndex;

beforeAll(() => {
  execFileSync(process.execPath, [script, folder]);
  index = JSON.parse(readFileSync(path.join(folder, 'index.json'), 'utf8')) as BundleIndex;
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

test('the first view has less than 200 KB with gzip, its fonts included', () => {
  const code = [...index.scripts, ...index.styles].map((name) => sizeOf(`${name}.gz`));
  const fonts = index.fonts.map(sizeOf);
  expect([...code, ...fonts].reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(200_000);
  expect(index.fonts.length).toBeGreaterThan(0);
});

test('views are files of their own, and every name contains the hash of its content', () => {
  const names = readdirSync(folder).filter((name) => name !== 'index.json');
  for (const name of names) expect(name).toMatch(/-[A-Z0-9]{8}\.(?:js|css|woff2)(?:\.gz|\.br)?$/);
  const view = names.find((name) => /^account-.*\.js$/.test(name))!;
  expect(index.scripts).not.toContain(view);
});

test('modules that every view needs are in one file, apart from the entry', () => {
  expect(index.scripts).toHaveLength(2);
});

test('the index names the files of each page, none of which is part of the program', () => {
  const paths = index.pages.map(({ path: at }) => at);
  expect(new Set(paths).size).toBe(paths.length);
  for (const page of ['/', '/link', '/account', '/keys', '/sites/$site', '/sites/$site/content/$id'])
    expect(paths).toContain(page);
  for (const { scripts, styles } of index.pages) {
    expect(scripts.length).toBeGreaterThan(0);
    for (const name of [...scripts, ...styles]) expect(readdirSync(folder)).toContain(name);
    for (const name of scripts) expect(index.scripts).not.toContain(name);
  }
  const content = index.pages.find(({ path: at }) => at === '/sites/$site/content')!;
  expect(content.scripts[0]).toMatch(/^content-list-/);
  expect(content.styles[0]).toMatch(/^content-/);
});
