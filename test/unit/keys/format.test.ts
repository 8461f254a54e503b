import { expect, test } from '@jest/globals';
import { hashSecret, matchesHash, mayMatch, randomText } from '../../../services/features/keys/format.ts';

const secretLength = 32;

test('a secret matches its hash and no other does', async () => {
  const [secret, other] = [randomText(secretLength), randomText(secretLength)];
  const hash = await hashSecret(secret);
  expect(hash).toMatch(/^\$argon2id\$/);
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
