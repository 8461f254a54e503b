import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';

const root = path.join(import.meta.dirname, '../../..');
const doors = ['services/features/*/index.ts', 'services/build/index.ts', 'services/build/format.ts']
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .sort();
const sources = globSync(['services/**/*.ts', 'workflows/**/*.ts', 'scripts/**/*.ts'], { cwd: root }).map((file) => ({
  file,
  text: readFileSync(path.join(root, file), 'utf8'),
}));
const textOf = (door: string) => sources.find(({ file }) => file === door)!.text;

const exported = /^export (?:type )?\{([^}]*)\} from '\.\/[^']+';$/gm;
const namesIn = (list: string) =>
  list
    .split(',')
    .map((name) => name.trim().replace(/^type /, ''))
    .filter(Boolean);

/** Returns the names that other folders import from an index.ts. */
function takenFrom(door: string): Set<string> {
  const taken = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/^import (?:type )?\{([^}]*)\} from '(\.[^']+)';$/gm)].flatMap(([, list, from]) =>
      path.join(path.dirname(file), from!) === door ? namesIn(list!).map((name) => name.split(' as ')[0]!) : [],
    ),
  );
  return new Set(taken);
}

test('every feature has a door: index.ts, or routes.ts when nothing else of it is used', () => {
  const folder = path.join(root, 'services/features');
  const features = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(features.length).toBeGreaterThan(15);
  const hasDoor = (name: string) => ['index.ts', 'routes.ts'].some((door) => existsSync(path.join(folder, name, door)));
  expect(features.map(({ name }) => name).filter((name) => !hasDoor(name))).toEqual([]);
});

test.each(doors)('%s exports by name, without renaming, and has nothing else', (door) => {
  const text = textOf(door);
  const names = [...text.matchAll(exported)].flatMap(([, list]) => namesIn(list!));
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => !/^\w+$/.test(name))).toEqual([]);
  expect(
    text
      .replaceAll(exported, '')
      .replaceAll(/\/\*\*.*?\*\//gs, '')
      .trim(),
  ).toBe('');
});

test.each(doors)('%s exports only what another folder uses', (door) => {
  const taken = takenFrom(door);
  const names = [...textOf(door).matchAll(exported)].flatMap(([, list]) => namesIn(list!));
  expect(names.filter((name) => !taken.has(name))).toEqual([]);
});
