import { describe, expect, test } from '@jest/globals';
import { compare, listRules, readProofs, readRules } from '../../../scripts/rules.ts';

const mark = '// rule:';
const document = ['| Id | Rule |', '| --- | --- |', '| `event.1` | The body is verified first |'].join('\n');
const source = [`${mark} event.1, reply.401`, "test('a body is verified', () => {});"].join('\n');
const { rules } = readRules('docs/a.md', document);
const { proofs } = readProofs('test/a.test.ts', source);

test('a rule is a row with an id, and a test names its rules directly above it', () => {
  expect(rules).toEqual([{ id: 'event.1', text: 'The body is verified first', place: 'docs/a.md:3' }]);
  expect(proofs).toEqual([{ ids: ['event.1', 'reply.401'], title: 'a body is verified', place: 'test/a.test.ts:2' }]);
});

test('the title of a table of tests is the one after the table', () => {
  const table = [`${mark} event.1`, 'test.each([', "  ['a', () => f('b', 1)],", "])('%s is refused', async () => {});"];
  expect(readProofs('a', table.join('\n')).proofs[0]!.title).toBe('%s is refused');
});

describe('is a fault', () => {
  test('a row without an id, or with a rule that holds partly', () => {
    expect(readRules('a', '| A rule | a test |').faults).toHaveLength(1);
    expect(readRules('a', '| `event.1` | Holds partly |').faults).toHaveLength(1);
  });

  test.each([
    ['nothing', ''],
    ['an empty line', '\ntest("a", () => {});'],
    ['a skipped test', "test.skip('a', () => {});"],
    ['a statement', 'const a = 1;'],
  ])('a comment above %s', (_what, after) => {
    expect(readProofs('a', `${mark} event.1\n${after}`)).toMatchObject({ proofs: [], faults: [expect.any(String)] });
  });

  test('a comment with a word that is no id', () => {
    expect(readProofs('a', `${mark} event\ntest('a', () => {});`).faults).toHaveLength(1);
  });

  test('a rule without a test, a test with an id that no rule has, and an id of two rules', () => {
    expect(compare(rules, [])).toEqual(['docs/a.md:3: no test has the rule event.1']);
    expect(compare(rules, proofs)).toEqual(['test/a.test.ts:2: no document has the rule reply.401']);
    expect(compare([...rules, ...rules], [{ ...proofs[0]!, ids: ['event.1'] }])).toHaveLength(1);
  });
});

test('the list for readers has each chosen rule with its tests', () => {
  const listed = 'event.1: The body is verified first\n    test/a.test.ts:2 a body is verified\n';
  expect(listRules(rules, proofs, '')).toBe(listed);
  expect(listRules(rules, proofs, 'event')).toBe(listed);
  expect(listRules(rules, proofs, 'even')).toBe('');
});
