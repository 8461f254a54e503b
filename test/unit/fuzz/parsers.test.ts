import { describe, test } from '@jest/globals';
import fc from 'fast-check';
import { fuzzTargets } from '../../fuzz/targets/index.ts';
import { sized } from '../../harness/long-form.ts';

/**
 * The short form of `npm run fuzz`, with the same inputs every time, so that a failure is caused by a change of the
 * code.
 */
const short = { numRuns: sized(100, 300), seed: 20_261_121 };

// rule: threat.9
describe('every parser that meets the outside holds its properties for', () => {
  test.each(fuzzTargets.map((target) => [target.name, target] as const))('%s', async (_name, { inputs, check }) => {
    await fc.assert(
      fc.asyncProperty(inputs, async (input) => {
        await check(input);
      }),
      short,
    );
  });
});
