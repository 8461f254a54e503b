import { expect, test } from '@jest/globals';
import { maxTrialBytes, tryTemplate } from '../../../services/engines/sandbox/components/try-template.ts';

const limits = { timeoutMs: 60_000 };

test('a trial renders markup up to the limit, and more is a failure of the component', () => {
  const longest = 'é'.repeat(maxTrialBytes / 2);
  expect(tryTemplate('card', '{{ text }}', { text: longest }, limits)).toBe(longest);
  expect(() => tryTemplate('card', '{{ text }}.', { text: longest }, limits)).toThrow(/1000000 bytes/);
});
