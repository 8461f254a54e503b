/**
 * Measures whether all 401 responses take the same time: medians of an unknown id, a wrong secret (also of a key in
 * rotation), a secret before a rotation, a revoked key, a deactivated user's and a malformed key, with a fresh and with
 * a repeated secret, interleaved in one run. Prints each median and the largest difference. Run: node
 * test/bench/auth.ts (BENCH_TRIES, default 500)
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { loadConfig, requireEngines } from '../../services/core/config.ts';
import { openDatabase } from '../../services/engines/sql/database.ts';
import { createKey, revokeKey, rotateKey } from '../../services/features/keys/service.ts';
import { createUser, setUserActive } from '../../services/features/users/index.ts';
import { startStack } from '../harness/stack.ts';
import { figure } from './report/figure.ts';

const tries = Number(process.env.BENCH_TRIES ?? 500);
const random = (length: number) => randomBytes(32).toString('hex').slice(0, length);

const stack = await startStack();
try {
  const db = openDatabase(requireEngines(loadConfig(stack.env)));
  const make = (userEmail?: string) =>
    createKey(db, { name: 'bench', scopes: ['admin'], sites: ['*'], ...(userEmail ? { userEmail } : {}) });
  const good = await make();
  const revoked = await make();
  await revokeKey(db, revoked.id);
  const email = `${randomUUID()}@example.com`;
  await createUser(db, email);
  const deactivated = await make(email);
  await setUserActive(db, email, false);
  const rotated = await make();
  await rotateKey(db, rotated.id);
  const overlapping = await make();
  await rotateKey(db, overlapping.id, 60 * 24);
  await db.close();
  const repeated = `fs_${random(8)}_${random(32)}`;
  const kinds: Record<string, () => string> = {
    'unknown id': () => `fs_${random(8)}_${random(32)}`,
    'unknown id, repeated': () => repeated,
    'wrong secret': () => `fs_${good.id}_${random(32)}`,
    'wrong secret, repeated': () => `fs_${good.id}_${'x'.repeat(32)}`,
    'wrong secret, in an overlap': () => `fs_${overlapping.id}_${random(32)}`,
    'secret before a rotation': () => rotated.key,
    'revoked key': () => revoked.key,
    "deactivated user's key": () => deactivated.key,
    malformed: () => random(44),
  };
  const times = new Map(Object.keys(kinds).map((kind) => [kind, [] as number[]]));
  for (let round = 0; round < tries; round++) {
    for (const [kind, key] of Object.entries(kinds)) {
      const started = performance.now();
      const reply = await fetch(`${stack.gateways[0]}/api/v1/sites`, { headers: { 'X-API-Key': key() } });
      await reply.arrayBuffer();
      if (reply.status !== 401) throw new Error(`${kind} was answered ${reply.status}.`);
      if (round > 0) times.get(kind)!.push(performance.now() - started);
    }
  }
  const medians = [...times].map(([kind, all]) => {
    const sorted = all.sort((a, b) => a - b);
    return { kind, ms: sorted[Math.floor(sorted.length / 2)]! };
  });
  for (const { kind, ms } of medians) process.stdout.write(`${kind.padEnd(28)} ${ms.toFixed(2)} ms\n`);
  const all = medians.map(({ ms }) => ms);
  const spread = (Math.max(...all) / Math.min(...all) - 1) * 100;
  figure(`wrong keys: widest difference of the medians over ${tries} tries each`, `${spread.toFixed(1)} %`, '< 5 %');
} finally {
  await stack.stop();
}
