import { expect, test } from '@jest/globals';
import {
  formatKey,
  hashSecret,
  matchesHash,
  mayMatch,
  parseKey,
  randomText,
} from '../../../services/features/keys/format.ts';

const secretLength = 32;

const [id, text] = ['aZ09bY18', 'AbCdEfGhIjKlMnOpQrStUvWxYz012345'];

test('a key is fs_, eight and thirty-two letters and digits, and comes apart again', () => {
  expect(formatKey(id, text)).toBe(`fs_${id}_${text}`);
  expect(parseKey(formatKey(id, text))).toEqual({ id, secret: text });
  const made = formatKey(randomText(8), randomText(secretLength));
  expect([made.length, parseKey(made)]).toEqual([44, { id: made.slice(3, 11), secret: made.slice(12) }]);
});

// rule: key.2, break.20
test.each([
  ...['', 'fs_', `fs_${id}`, `${id}_${text}`, `fs_${id}${text}`, `fs-${id}-${text}`, `FS_${id}_${text}`],
  ...[`fs_${id}x_${text}`, `fs_${id.slice(1)}_${text}`, `fs_${id}_${text}x`, `fs_${id}_${text.slice(1)}`],
  ...[
    ` fs_${id}_${text}`,
    `fs_${id}_${text} `,
    `fs_${id}_${text}\n`,
    `x\nfs_${id}_${text}`,
    `fs_${id}_${text},fs_${id}_${text}`,
  ],
  ...[
    `fs_${id.slice(1)}é_${text}`,
    `fs_${id}_${text.slice(1)}-`,
    `fs_${id}_${text.slice(1)}\0`,
    `fs_${id.slice(1)}_${text}`,
  ],
])('%j is no key', (wrong) => {
  expect(parseKey(wrong)).toBeNull();
});

test('random texts are letters and digits of the whole alphabet, and never the same', () => {
  const made = randomText(20_000);
  expect([made.length, new Set(made).size]).toEqual([20_000, 62]);
  expect(made).toMatch(/^[A-Za-z0-9]+$/);
  expect(randomText(secretLength)).not.toBe(randomText(secretLength));
});

test('the mark of a hash tells another secret without a check', async () => {
  const hash = await hashSecret('a');
  expect(['a', 'b', 'c', ''].map((secret) => mayMatch(hash, secret))).toEqual([true, false, false, false]);
});

test('a secret matches its hash and no other does', async () => {
  const [secret, other] = [randomText(secretLength), randomText(secretLength)];
  const hash = await hashSecret(secret);
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,p=1,t=2,data=/);
  expect([mayMatch(hash, secret), await matchesHash(hash, secret), await matchesHash(hash, other)]).toEqual([
    true,
    true,
    false,
  ]);
});

test('the mark of every hash is read as text, whatever the secret', async () => {
  for (let n = 0; n < 40; n++) expect(await hashSecret(randomText(secretLength))).toMatch(/,data=\/[A-Za-z0-9+/]{3}\$/);
});

test('a hash without a mark, as older versions made them, is left to the check', () => {
  expect(mayMatch('$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaA', 'any')).toBe(true);
});
