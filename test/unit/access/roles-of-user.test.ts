import { expect, test } from '@jest/globals';
import { readRoles, readRolesOfKey } from '../../../services/features/users/roles-sql.ts';

const row = { user_role: 'member' as const, user_has_roles: true, member_roles: [], team_roles: [] };
const onSites = (read: ReturnType<typeof readRoles>) => Object.fromEntries(read.onSites);

test('roles of the user and of teams count together, the stronger one on each site', () => {
  const read = readRoles({ ...row, member_roles: ['viewer:a', 'author:b'], team_roles: ['editor:a,c', 'viewer:b,*'] });
  expect(onSites(read)).toEqual({ a: 'editor', b: 'author', c: 'editor', '*': 'viewer' });
});

test('a team without sites gives nothing, and a role that is not known says nothing', () => {
  expect(onSites(readRoles({ ...row, member_roles: ['chief:a'], team_roles: ['editor:'] }))).toEqual({});
});

test('a user who was never given a role: keys keep to their scopes and sites, anything else has nothing', () => {
  const never = { ...row, user_has_roles: false };
  expect(onSites(readRolesOfKey(never))).toEqual({ '*': 'owner' });
  expect(onSites(readRoles(never))).toEqual({});
  expect(readRolesOfKey(never).administrator).toBe(false);
});

// rule: threat.46
test('a user whose roles are all gone: nothing, keys included', () => {
  expect(onSites(readRolesOfKey(row))).toEqual({});
});
