import { expect, test } from '@jest/globals';
import { createCipher } from '../../../../services/core/secrets.ts';
import { confirmationFor, confirmationSeconds, isConfirmed } from '../../../../services/gateway/mcp/confirmation.ts';

const cipher = createCipher([Buffer.alloc(32, 1)]);
const now = 1_800_000_000_000;
const call = {
  grantId: 'a grant',
  tool: 'content_destroy',
  args: { action: 'purge', site: 'demo', id: 'one', query: { a: 1, b: 2 } },
};
const token = confirmationFor(cipher, call, now);
const confirms = (changes: object, atMs = now, given = token) =>
  isConfirmed(cipher, { ...call, ...changes }, given, atMs);

test('confirms the same call until it expires, whatever the order of its arguments', () => {
  const { action, ...rest } = call.args;
  const args = { ...rest, query: { b: 2, a: 1 }, action, confirm: token };
  expect(confirms({ args })).toBe(true);
  expect(confirms({}, now + confirmationSeconds * 1000)).toBe(true);
  expect(confirms({}, now + confirmationSeconds * 1000 + 1)).toBe(false);
});

test.each([
  ['another grant', { grantId: 'another' }],
  ['another tool', { tool: 'media_destroy' }],
  ['another record', { args: { ...call.args, id: 'two' } }],
  ['another argument more', { args: { ...call.args, as: 'copy' } }],
])('does not confirm %s', (_, changes) => {
  expect(confirms(changes)).toBe(false);
});

test.each(['', '.', 'x.y', `9${token}`, token.slice(0, -1), `${token}A`, '99999999999.'])(
  'is not the text %j',
  (given) => {
    expect(confirms({}, now, given)).toBe(false);
  },
);

test('does not confirm under another secret key', () => {
  expect(isConfirmed(createCipher([Buffer.alloc(32, 2)]), call, token, now)).toBe(false);
});
