import { expect, test } from '@jest/globals';
import { register } from 'prom-client';
import type { Db } from '../../../services/core/db.ts';
import { formatKey, hashSecret, randomText } from '../../../services/features/keys/format.ts';
import { createKeyVerifier } from '../../../services/features/keys/verify.ts';
import { hashPassword, matchesPassword } from '../../../services/features/people/passwords.ts';

const address = '192.0.2.1';

async function countChecks(): Promise<number> {
  const metric = await register.getSingleMetric('fieldstone_password_checks_total')!.get();
  return metric.values[0]?.value ?? 0;
}

test('a password is kept as an argon2id hash, and matches itself in every Unicode spelling', async () => {
  const hash = await hashPassword('Cafe\u0301 au lait', address);
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=32768,p=1,t=3\$/);
  expect(await matchesPassword(hash, 'Caf\u00e9 au lait', address)).toBe(true);
  expect(await matchesPassword(hash, 'cafe au lait', address)).toBe(false);
});

test('an account without a password costs one check like any other, and nothing matches', async () => {
  const before = await countChecks();
  expect(await matchesPassword(null, '', address)).toBe(false);
  expect(await countChecks()).toBe(before + 1);
});

// rule: threat.49
test('passwords have a queue of their own: a key is checked while they wait', async () => {
  const [id, secret] = [randomText(8), randomText(32)];
  const row = {
    ...{ id, user_id: 'u', scopes: ['admin'], sites: ['*'], secret_hash: await hashSecret(secret) },
    ...{ previous_hash: null, previous_until: null, revoked_at: null, user_active: true },
    ...{ user_role: 'admin', user_has_roles: true, member_roles: [], team_roles: [], site_id: null },
  };
  const db: Db = { query: async <Row extends object>() => [row] as unknown as Row[] };
  let hashed = 0;
  const passwords = Array.from({ length: 12 }, async (_, n) => {
    await hashPassword('twelve letters', `192.0.2.${n}`);
    hashed++;
  });
  expect(await createKeyVerifier(db, { warn: () => undefined }).verify(formatKey(id, secret), null)).toMatchObject({
    key: { id },
    site: undefined,
  });
  expect(hashed).toBeLessThan(passwords.length);
  await Promise.all(passwords);
});
