import * as crypto from 'node:crypto';
import { expect, jest, test } from '@jest/globals';
import { isSigned } from '../../harness/signed.ts';

const timingSafeEqual = jest.fn(crypto.timingSafeEqual);
jest.unstable_mockModule('node:crypto', () => ({ ...crypto, timingSafeEqual }));
const { openSignature, signBody } = await import('../../../services/features/inbound/signature.ts');

const body = Buffer.from('{}');
const nowMs = 1_800_000_000_000;
const judge = (header: string, secrets: string[]) => isSigned(openSignature({ header, secrets, nowMs }), body);

// rule: event.2, break.29
test('every signature is compared with every secret’s in constant time, also after one that matched', () => {
  const right = signBody('first', body, nowMs);
  const header = `${right},v1=${'0'.repeat(64)}`;
  expect(judge(header, ['first', 'second'])).toBe(true);
  expect(timingSafeEqual).toHaveBeenCalledTimes(4);
});

// rule: event.2
test('nothing but that comparison decides', () => {
  const wrong = signBody('wrong', body, nowMs);
  expect(judge(wrong, ['first'])).toBe(false);
  timingSafeEqual.mockReturnValueOnce(true);
  expect(judge(wrong, ['first'])).toBe(true);
  timingSafeEqual.mockReturnValueOnce(false);
  expect(judge(signBody('first', body, nowMs), ['first'])).toBe(false);
});
