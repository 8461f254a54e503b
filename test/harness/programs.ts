import { spawnSync } from 'node:child_process';
import { describe, test } from '@jest/globals';

type Test = typeof test.skip;

/** Returns whether a command exits successfully: `['caddy', 'version']`. */
export const runs = ([command, ...args]: readonly string[]): boolean =>
  spawnSync(command!, args, { stdio: 'ignore' }).status === 0;

/** Returns jest's `test` with all tests skipped; their names end with `(needs PROGRAM)`, which `npm test` lists. */
function testWithout(program: string): Test {
  const reason = ` (needs ${program})`;
  const skip = (name: string, ...rest: [never]) => test.skip(name + reason, ...rest);
  const each =
    (...table: [never]) =>
    (name: string, ...rest: [never]) =>
      test.skip.each(...table)(name + reason, ...rest);
  return Object.assign(skip, { each }) as unknown as Test;
}

/**
 * Returns `test` for tests that need a program that npm does not provide: jest's own if the program is installed, else
 * one that skips. A file in which all tests are skipped runs none of its `beforeAll`.
 */
export const testWith = (program: string, isThere: boolean): Test => (isThere ? test : testWithout(program));

/** Returns the same for a group of tests. */
export const describeWith = (program: string, isThere: boolean): typeof describe.skip =>
  isThere
    ? describe
    : (Object.assign((name: string, work: () => void) =>
        describe.skip(`${name} (needs ${program})`, work),
      ) as typeof describe.skip);
