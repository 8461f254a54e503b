import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { loadModuleLexer, moduleReferences, rewriteModule } from '../../../services/build/modules.ts';
import { groupByReferences } from '../../../services/build/reference-groups.ts';
import { planShell } from './plan-shell.ts';

beforeAll(loadModuleLexer);

describe('a script refers to', () => {
  test.each([
    ["import './x.js'", 'js/x.js'],
    ['import "./x.js";', 'js/x.js'],
    ["import a, { b as c } from '../lib/x.js'", 'lib/x.js'],
    ["import*as a from'./x.js'", 'js/x.js'],
    ["export * from './x.js'", 'js/x.js'],
    ["export { a } from './x.js'", 'js/x.js'],
    ["const a = await import('./x.js')", 'js/x.js'],
    ['const a = () => import(`./x.js`)', 'js/x.js'],
    ["import data from './x.json' with { type: 'json' }", 'js/x.json'],
    ["import '/lib/x.js'", 'lib/x.js'],
    ["import './%C3%BC%20x.js'", 'js/ü x.js'],
    ["new Worker(new URL('./x.js', import.meta.url), { type: 'module' })", 'js/x.js'],
    ["img.src = new URL( '../x.png' , import.meta . url).href", 'x.png'],
  ])('%s', (code, target) => {
    expect(moduleReferences(code, 'js/main.js')).toEqual([target]);
  });

  test.each([
    "import 'lit'",
    "import 'lit/x.js'",
    "import 'https://h.test/x.js'",
    "import '//h.test/x.js'",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the script that has the template
    'import(`./${name}.js`)',
    'import("./" + name)',
    "// import './x.js'",
    'const text = "import \'./x.js\'"',
    'const text = `import "./x.js"`',
    "new URL('./x.js', location.href)",
    "obj.import('./x.js')",
    'this is no script {{{',
  ])('nothing of the shell in %s', (code) => {
    expect(moduleReferences(code, 'js/main.js')).toEqual([]);
  });
});

test('only the addresses change', () => {
  const code = `import {a} from "./a.js";\nexport * from '../b.js?v=1#x';\nconst c = () => import('./c.js');\n// './a.js'\n`;
  const renamed = rewriteModule(code, 'js/main.js', (target) => (target === 'js/c.js' ? null : `new/${target}`));
  expect(renamed).toBe(
    `import {a} from "./new/js/a.js";\nexport * from './new/b.js?v=1#x';\nconst c = () => import('./c.js');\n// './a.js'\n`,
  );
});

/** Follows every import of every script to a public file. */
async function findBroken(files: Record<string, string>): Promise<string[]> {
  const { assets, textOf } = await planShell(files);
  const served = new Set([...assets.values()].map(({ path }) => path));
  return [...assets.values()].flatMap(({ path, source }) =>
    moduleReferences(textOf(source), path.slice(1))
      .map((target) => `/${target}`)
      .filter((target) => !served.has(target)),
  );
}

test('a script is named after everything that it imports', async () => {
  const make = (last: string) =>
    planShell({ 'main.js': "import './lib/a.js'", 'lib/a.js': "export * from './b.js'", 'lib/b.js': last });
  const { assets: one, textOf } = await make('1');
  const [{ assets: two }, { assets: again }] = [await make('2'), await make('1')];
  for (const name of ['main.js', 'lib/a.js', 'lib/b.js']) {
    expect(one.get(name)!.path).not.toBe(two.get(name)!.path);
    expect(one.get(name)).toEqual(again.get(name));
  }
  expect(textOf('main.js')).toBe(`import './${one.get('lib/a.js')!.path.slice('/_assets/'.length)}'`);
});

test('scripts that import each other in a circle find each other, and a change in one renames all', async () => {
  const make = (tail: string) => ({
    'a.js': "import './b.js'; import './leaf.js'",
    'b.js': "import './c/c.js'",
    'c/c.js': `import '../a.js'; ${tail}`,
    'self.js': "import './self.js'",
    'leaf.js': 'leaf',
    'user.js': "import './a.js'",
  });
  expect(await findBroken(make('1'))).toEqual([]);
  const [{ assets: one, textOf }, { assets: two }] = [await planShell(make('1')), await planShell(make('2'))];
  for (const name of ['a.js', 'b.js', 'c/c.js', 'user.js']) expect(one.get(name)!.path).not.toBe(two.get(name)!.path);
  for (const name of ['leaf.js', 'self.js']) expect(one.get(name)!.path).toBe(two.get(name)!.path);
  expect(textOf('self.js')).toContain(one.get('self.js')!.path.slice('/_assets/'.length));
});

test('whatever scripts import, every import leads to a public file', async () => {
  const graph = fc.array(fc.array(fc.nat(7), { maxLength: 4 }), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(graph, async (edges) => {
      const name = (n: number) => `${n % 2 ? 'odd/' : ''}${n}.js`;
      const files = Object.fromEntries(
        edges.map((targets, n) => [
          name(n),
          targets
            .filter((target) => target < edges.length)
            .map((target) => `import '${n % 2 ? '../' : './'}${name(target)}';`)
            .join('\n'),
        ]),
      );
      expect(await findBroken(files)).toEqual([]);
    }),
  );
});

test('a chain longer than the stack of calls is ordered', () => {
  const names = Array.from({ length: 50_000 }, (_, n) => String(n));
  const groups = groupByReferences(names, (name) =>
    Number(name) + 1 < names.length ? [String(Number(name) + 1)] : [],
  );
  expect(groups.map(([name]) => name)).toEqual([...names].reverse());
});
