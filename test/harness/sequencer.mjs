import sequencer from '@jest/test-sequencer';

const Sequencer = sequencer.default ?? sequencer;

/** Its collections read every release of the stack, so it runs before other files have published many. */
const first = /workflows\/collection\.test\.ts$/;

/** Jest's order of files, with the one first whose duration grows with the number of files that ran before it. */
export default class extends Sequencer {
  async sort(tests) {
    const sorted = await super.sort(tests);
    return [...sorted.filter(({ path }) => first.test(path)), ...sorted.filter(({ path }) => !first.test(path))];
  }
}
