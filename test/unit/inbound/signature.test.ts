import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { openSignature, signBody } from '../../../services/features/inbound/signature.ts';
import { isSigned } from '../../harness/signed.ts';

const secret = 'whsec_test';
const nowMs = 1_800_000_000_500;
const now = 1_800_000_000;
const body = Buffer.from([0x7b, 0xff, 0x00, 0x7d]);

const hexOf = (t: string | number, key = secret, bytes = body) =>
  createHmac('sha256', key)
    .update(Buffer.concat([Buffer.from(`${t}.`), bytes]))
    .digest('hex');
const accepts = (header: string | undefined, secrets = [secret]) =>
  isSigned(openSignature({ header, secrets, nowMs }), body);

// rule: event.2, threat.11
test('a signature over `<t>.<raw body>` is accepted, also for bytes that are no text', () => {
  expect(accepts(`t=${now},v1=${hexOf(now)}`)).toBe(true);
});

test('what signBody makes is accepted', () => {
  expect(accepts(signBody(secret, body, nowMs))).toBe(true);
});

// rule: event.2, break.7, threat.11
describe('the window is 300 seconds either way, both edges included', () => {
  test.each([
    [-301, false],
    [-300, true],
    [300, true],
    [301, false],
  ])('%d seconds', (offset, accepted) => {
    expect(accepts(`t=${now + offset},v1=${hexOf(now + offset)}`)).toBe(accepted);
  });
});

test('one right v1 among several is enough', () => {
  expect(accepts(`t=${now},v1=${'0'.repeat(64)},v1=${hexOf(now)}`)).toBe(true);
  expect(accepts(`t=${now},v1=${hexOf(now)},v1=${'0'.repeat(64)}`)).toBe(true);
});

test.each(['deadbeef', '', 'g'.repeat(64), `${'0'.repeat(64)}00`])(
  'v1=%s beside the right one changes nothing',
  (other) => {
    expect(accepts(`t=${now},v1=${other},v1=${hexOf(now)}`)).toBe(true);
    expect(accepts(`t=${now},v1=${hexOf(now)},v1=${other}`)).toBe(true);
  },
);

test('either of two secrets is accepted while one is being rotated, and no third', () => {
  expect(accepts(`t=${now},v1=${hexOf(now, 'old')}`, [secret, 'old'])).toBe(true);
  expect(accepts(`t=${now},v1=${hexOf(now, 'older')}`, [secret, 'old'])).toBe(false);
});

test('hexadecimal digits may be upper case, members of other versions are ignored, spaces after commas are let pass', () => {
  expect(accepts(`t=${now}, v1=${hexOf(now).toUpperCase()}, v0=abc`)).toBe(true);
  expect(accepts(`\tt=${now} , v1=${hexOf(now)} `)).toBe(true);
});

describe('refused', () => {
  const good = hexOf(now);
  test.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['no timestamp', `v1=${good}`],
    ['no signature', `t=${now}`],
    ['two timestamps', `t=${now},t=${now},v1=${good}`],
    ['a timestamp with a fraction', `t=${now}.5,v1=${good}`],
    ['a negative timestamp', `t=-${now},v1=${good}`],
    ['a timestamp in hexadecimal', `t=0x6B49D200,v1=${good}`],
    ['a timestamp of a thousand digits', `t=${'9'.repeat(1000)},v1=${good}`],
    ['an empty timestamp', `t=,v1=${hexOf('')}`],
    ['a short signature', `t=${now},v1=${good.slice(2)}`],
    ['a long signature', `t=${now},v1=${good}00`],
    ['a signature that is not hexadecimal', `t=${now},v1=${'g'.repeat(64)}`],
    ['another version only', `t=${now},v2=${good}`],
    ['the signature of another timestamp', `t=${now},v1=${hexOf(now + 1)}`],
    ['the signature of another body', `t=${now},v1=${hexOf(now, secret, Buffer.from('{}'))}`],
    [
      'a signature without the timestamp in it',
      `t=${now},v1=${createHmac('sha256', secret).update(body).digest('hex')}`,
    ],
    ['a part that is no pair', `t=${now},v1=${good},`],
  ])('%s', (_name, header) => {
    expect(accepts(header)).toBe(false);
  });
});

describe('a timestamp that is no row of digits is refused, though the signature over it is right:', () => {
  test.each(
    ['x', '+', ' ', '0x', '-']
      .flatMap((junk) => [`${junk}${now}`, `${now}${junk}`])
      .concat(`${now}e0`, `${now}.0`, 'Infinity'),
  )('%j', (t) => {
    expect(accepts(`t=${t},v1=${hexOf(t)}`)).toBe(false);
  });

  test('nor is one that is absent', () => {
    expect(accepts(`v1=${hexOf('undefined')}`)).toBe(false);
    expect(accepts(`v1=${hexOf('')}`)).toBe(false);
  });
});

test.each([
  (good: string) => `! ${good}`,
  (good: string) => `${good} !`,
  (good: string) => good.replace(',', ' !,'),
  (good: string) => good.replace(',', ',!'),
  (good: string) => `\n${good}`,
])('dirt around the parts is refused (%#)', (spoil) => {
  expect(accepts(spoil(`t=${now},v1=${hexOf(now)}`))).toBe(false);
});
