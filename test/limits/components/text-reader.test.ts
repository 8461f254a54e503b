import { afterAll, expect, test } from '@jest/globals';
import { CompileError } from '../../../services/engines/components/compiled.ts';
import { findComponent } from '../../../services/engines/components/find-component.ts';
import { scopeCss } from '../../../services/engines/components/scope-css.ts';
import { createTextReader } from '../../../services/engines/components/text-reader.ts';
import { createThreadPool, ThreadFailure, type ThreadPool } from '../../../services/engines/threads/thread-pool.ts';
import { measureLoopWork, measureWork } from '../../harness/loop-work.ts';

const pool = createThreadPool({ maxThreads: 1 });
const threaded: string[] = [];
const watched: Pick<ThreadPool, 'run'> = {
  run(work, key, input) {
    threaded.push(`${key} ${work.name}`);
    return pool.run(work, key, input);
  },
};
const texts = createTextReader(watched);
afterAll(() => pool.stop());

const handle = 'box';
/** Fills a text to the maximum size of a component. */
const fill = (piece: string) => piece.repeat(Math.floor(262_144 / piece.length));
const css = fill('.a, :root b { animation: c 1s; font: 1em x }');
const code = `export default function A() { ${fill('a(() => { b });')} }`;

test('large texts are read in threads and small ones are not, with the same outcome', async () => {
  threaded.length = 0;
  expect(await texts.scopeCss('k', { css, handle })).toEqual(scopeCss(css, handle));
  expect(await texts.findComponent('k', code)).toEqual(findComponent(code));
  expect(threaded).toEqual(['k component_css', 'k component_code']);
  expect(await texts.scopeCss('k', { css: 'a{}', handle })).toEqual(scopeCss('a{}', handle));
  expect(await texts.findComponent('k', 'export default A')).toEqual(findComponent('export default A'));
  expect(threaded).toHaveLength(2);
}, 120_000);

test('what is wrong with a style sheet is the same, wherever it is read', async () => {
  for (const broken of ['a {', `${css} a {`]) {
    const failure = await texts.scopeCss('k', { css: broken, handle }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CompileError);
    expect(failure).toMatchObject({ faults: [{ member: 'css', message: 'Unclosed block' }] });
  }
}, 120_000);

// rule: threat.27
test('the event loop goes on while they are read', async () => {
  await texts.findComponent('k', code); // starts the thread
  const workMs = Math.min(
    measureWork(() => scopeCss(css, handle)),
    measureWork(() => findComponent(code)),
  );
  const busyMs = await measureLoopWork(() =>
    Promise.all([texts.scopeCss('a', { css, handle }), texts.findComponent('b', code)]),
  );
  expect(busyMs).toBeLessThan(workMs / 4);
}, 120_000);

test('a text that takes too much memory is a fault of the component, one that takes too much time is not', async () => {
  const failing = (reason: ThreadFailure['reason']) =>
    createTextReader({ run: () => Promise.reject(new ThreadFailure(reason, null)) });
  await expect(failing('memory').findComponent('k', code)).rejects.toMatchObject({
    faults: [{ member: 'source_code', message: 'The source takes too much time or memory to compile.' }],
  });
  await expect(failing('memory').scopeCss('k', { css, handle })).rejects.toMatchObject({ faults: [{ member: 'css' }] });
  await expect(failing('time').scopeCss('k', { css, handle })).rejects.toMatchObject({ code: 'unavailable' });
});
