import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { insertRows } from '../../../services/features/backups/rows.ts';
import {
  addTeamMember,
  createTeam,
  createUser,
  ensureFirstAdministrator,
  firstAdministrator,
  listMembers,
  setAdministrator,
  setTeamRole,
  setUserActive,
} from '../../../services/features/users/index.ts';
import { provideOwnDatabase } from '../../harness/own-database.ts';

const own = provideOwnDatabase();

beforeAll(async () => {
  await ensureFirstAdministrator(own.db);
}, 120_000);

const email = () => `u-${randomUUID()}@example.com`;
const member = async (address: string) => (await listMembers(own.db)).find((user) => user.email === address)!;
const demote = (address: string) => own.db.transaction((tx) => setAdministrator(tx, address, false));

describe('the last active administrator', () => {
  test('stays one, and another may take the place', async () => {
    const first = (await firstAdministrator(own.db))!.email;
    await expect(demote(first)).rejects.toMatchObject({ code: 'conflict' });
    const second = email();
    await createUser(own.db, second, 'admin');
    await setUserActive(own.db, second, false);
    await expect(demote(first)).rejects.toMatchObject({ code: 'conflict' });
    await setUserActive(own.db, second, true);
    await demote(first);
    expect(await member(first)).toMatchObject({ role: 'member', roles: [] });
    await own.db.transaction((tx) => setAdministrator(tx, first, true));
    await demote(second);
  });

  test('is left over when all are demoted at the same time', async () => {
    const all = [email(), email(), email()];
    for (const address of all) await createUser(own.db, address, 'admin');
    const first = (await firstAdministrator(own.db))!.email;
    await Promise.allSettled([...all, first].map(demote));
    const left = (await listMembers(own.db)).filter(({ role, active }) => role === 'admin' && active);
    expect(left).toHaveLength(1);
  });
});

describe('a user whose row has no word about roles', () => {
  test('was there before, was made by an earlier version or comes from its backup: no role was given yet', async () => {
    const [inserted, restored] = [email(), email()];
    await own.db.query('INSERT INTO users (email) VALUES ($1)', [inserted]);
    await own.db.transaction((tx) =>
      insertRows(tx, 'users', [{ id: randomUUID(), email: restored, role: 'member', active: true }]),
    );
    for (const address of [inserted, restored]) expect((await member(address)).roles).toBeNull();
  });
});

test('a team that gets its role while members join leaves none of them without it', async () => {
  const people = Array.from({ length: 8 }, email);
  for (const address of people) await createUser(own.db, address);
  const { slug } = await own.db.transaction((tx) => createTeam(tx, `t-${randomUUID()}`, ['one']));
  const join = (address: string) => own.db.transaction((tx) => addTeamMember(tx, slug, address));
  await Promise.all([
    ...people.slice(0, 4).map(join),
    own.db.transaction((tx) => setTeamRole(tx, slug, 'viewer')),
    ...people.slice(4).map(join),
  ]);
  const given = [{ site: 'one', role: 'viewer', team: slug }];
  for (const address of people) expect((await member(address)).roles).toEqual(given);
});
