import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';

const root = path.join(import.meta.dirname, '..', '..');
const readJson = (name: string) => JSON.parse(readFileSync(path.join(root, name), 'utf8'));

test('every package with an install script is allowed or refused by name: npm 12 skips the others in silence', () => {
  const packages = readJson('package-lock.json').packages as Record<string, { hasInstallScript?: true }>;
  const names = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([folder]) => folder.split('node_modules/').at(-1)!);
  expect(Object.keys(readJson('package.json').allowScripts).sort()).toEqual([...new Set(names)].sort());
});
