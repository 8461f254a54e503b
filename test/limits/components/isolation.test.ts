import { afterAll, describe, expect, test } from '@jest/globals';
import { createComponentCompiler } from '../../../services/engines/components/compiler.ts';
import { createThreadPool } from '../../../services/engines/threads/thread-pool.ts';

const threads = createThreadPool({ maxThreads: 1 });
const compiler = createComponentCompiler(threads);
afterAll(() => Promise.all([compiler.stop(), threads.stop()]));

/** Uploads a component and returns the message of its first render: the error that it throws. */
async function tryOut(source_code: string): Promise<string | null> {
  const source = { handle: 'probe', type: 'react' as const, source_code, css: null, variables_schema: null };
  const { warnings } = await compiler.compile('k', source);
  const prefix = 'A first render failed, perhaps because variables are missing: ';
  return warnings[0]?.message.replace(prefix, '') ?? null;
}

/** Returns the value of an expression inside a component, as text. */
async function evaluate(expression: string): Promise<string> {
  const said = await tryOut(`export default () => { throw new Error(String(${expression})); }`);
  return said?.replace(/^Error: /, '') ?? 'nothing';
}

describe('inside a component', () => {
  test.each([
    ...['process', 'Buffer', 'fetch', 'WebSocket', 'XMLHttpRequest', 'setTimeout', 'setInterval', 'setImmediate'],
    ...['queueMicrotask', 'MessageChannel', 'Worker', 'performance', 'crypto', 'ivm', 'global', 'window', 'document'],
    ...[
      'WebAssembly',
      'SharedArrayBuffer',
      'Atomics',
      'navigator',
      'URL',
      'exports.constructor.constructor("return process")',
    ],
  ])('there is no %s', async (name) => {
    const said = await evaluate(
      `(() => { try { return typeof ${name.includes('(') ? `${name}()` : name} } catch { return 'undefined' } })()`,
    );
    expect(said).toBe('undefined');
  });

  test.each([
    [
      'the constructor of functions',
      "React.createElement.constructor('return typeof process + typeof require + typeof globalThis.require')()",
    ],
    ['eval', "(0, eval)('typeof process + typeof require + typeof globalThis.require')"],
    [
      'the stack of an error',
      "new Error().stack.includes('/node_modules/') ? 'a path' : 'undefinedundefinedundefined'",
    ],
    [
      'callers',
      "(function caller() { return typeof process + typeof caller.constructor('return this')().require + typeof globalThis.require }).call(globalThis)",
    ],
  ])('%s leads to nothing of the process around it', async (_what, expression) => {
    expect(await evaluate(expression)).toBe('undefinedundefinedundefined');
  });

  // rule: threat.17
  test('the module function refuses every name but that of React', async () => {
    const said = await evaluate(
      `(() => { const [load] = [module.require, Function('return this')().require]; return [typeof load, typeof module.parent].join() })()`,
    );
    expect(said).toBe('undefined,undefined');
  });

  test('the clock stands still and agrees with itself', async () => {
    const said = await evaluate(`(() => {
      const start = Date.now();
      for (let i = 0; i < 3e6; i++);
      const text = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'full', timeZone: 'UTC' });
      return [Date.now() - start, new Date() - start, new (new Date().constructor)() - start, new Date(5).getTime(),
        text.format() === text.format(new Date(start)), new Date().getTimezoneOffset(), typeof Date()].join();
    })()`);
    expect(said).toBe('0,0,0,5,true,0,string');
  });

  test('chance repeats itself: the same use of a component gives the same page', async () => {
    const roll = '[Math.random(), Math.random(), Math.random()].join()';
    const first = await evaluate(roll);
    expect(await evaluate(roll)).toBe(first);
    const numbers = first.split(',').map(Number);
    expect(new Set(numbers).size).toBe(3);
    expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true);
  });
});

// rule: threat.20
describe('a component is cut off that', () => {
  const slow = 'it takes longer than 2000 ms';
  test.each([
    ['never ends', 'export default () => { for (;;); }', slow],
    ['never ends when it is loaded', 'for (;;);\nexport default () => 1;', slow],
    [
      'waits with promises for ever',
      'export default () => { const again = () => { Promise.resolve().then(again); }; again(); return <p />; }',
      slow,
    ],
    [
      // each promise waits for the next one: which limit is reached first depends on the speed of the machine
      'waits with ever more promises',
      'export default () => { const again = () => Promise.resolve().then(again); again(); return <p />; }',
      /^it (uses too much memory|takes longer than 2000 ms)$/,
    ],
    ['never ends while its error is read', 'export default () => { throw { toString() { for (;;); } }; }', slow],
    [
      'calls itself for ever',
      'export default () => { const again = () => again() + 1; return again(); }',
      /^(RangeError: Maximum call stack size exceeded|it takes longer)/,
    ],
    [
      'shows itself for ever',
      'export default function Self() { return <Self />; }',
      /too much memory|longer|call stack/,
    ],
    [
      'fills the memory',
      'export default () => { const all = []; for (;;) all.push(new Array(1e4).fill(1)); }',
      /^it (uses too much memory|takes longer)/,
    ],
    [
      'fills the memory with text',
      "export default () => { let text = 'x'; const all = []; for (;;) all.push((text += text + all.length)); }",
      /./,
    ],
    [
      'asks for a huge buffer',
      'export default () => new ArrayBuffer(2 ** 33).byteLength',
      'RangeError: Array buffer allocation failed',
    ],
  ])('%s', async (_what, source, expected) => {
    const said = await tryOut(source).catch((error: Error) => error.message);
    if (typeof expected === 'string') expect(said).toBe(expected);
    else expect(said).toMatch(expected);
    // and the next one is not affected
    expect(await tryOut('export default () => <p>fine</p>')).toBeNull();
  });
});

test('what one component does to the built-in objects, the next one does not see', async () => {
  await tryOut(
    "Object.prototype.leak = 'leak'; Array.prototype.map = () => 'leak'; JSON.parse = () => ({ leak: 1 }); globalThis.leak = 1;\nexport default () => <p />;",
  );
  expect(
    await evaluate('[typeof {}.leak, [1].map((n) => n), typeof leak, JSON.stringify(JSON.parse(\'{"a":1}\'))].join()'),
  ).toBe('undefined,1,undefined,{"a":1}');
  expect(Object.prototype).not.toHaveProperty('leak');
});

test('an error that lies about itself is text like any other', async () => {
  expect(
    await tryOut("export default () => { throw Object.assign(new Error('x'), { name: '\\u0000\\n\\u2028b' }); }"),
  ).toBe('b: x');
  expect(await tryOut('export default () => { throw null; }')).toBe('threw null');
  expect(await tryOut(`export default () => { throw new Error('${'long '.repeat(300)}'); }`)).toHaveLength(501);
});
