import { type BackupTable, plain, time } from './backup-table.ts';

/**
 * The tables of the whole installation, in an order that foreign keys allow. Keys are stored as hashes only. A test
 * compares this list with the schema.
 */
export const installationTables: readonly BackupTable[] = [
  {
    name: 'users',
    columns: { ...plain('id', 'email', 'role', 'active', 'password_hash', 'has_roles', 'name'), ...time('created_at') },
    keys: ['id'],
    where: 'true',
    hashes: [],
  },
  {
    name: 'user_totp',
    columns: { ...plain('user_id', 'secret', 'last_step'), ...time('confirmed_at', 'created_at') },
    keys: ['user_id'],
    where: 'true',
    hashes: [],
  },
  {
    name: 'recovery_codes',
    columns: plain('user_id', 'code_hash'),
    keys: ['user_id', 'code_hash'],
    where: 'true',
    hashes: [],
  },
  {
    name: 'teams',
    columns: { ...plain('id', 'slug', 'name', 'sites', 'role'), ...time('created_at') },
    keys: ['id'],
    where: 'true',
    hashes: [],
  },
  {
    name: 'team_members',
    columns: { ...plain('team_id', 'user_id') },
    keys: ['team_id', 'user_id'],
    where: 'true',
    hashes: [],
  },
  {
    name: 'site_members',
    columns: { ...plain('user_id', 'site', 'role'), ...time('created_at') },
    keys: ['user_id', 'site'],
    where: 'true',
    hashes: [],
  },
  {
    name: 'api_keys',
    columns: {
      ...plain('id', 'user_id', 'name', 'scopes', 'sites', 'secret_hash', 'previous_hash'),
      ...time('previous_until', 'revoked_at', 'expires_at', 'last_used_at', 'created_at'),
    },
    keys: ['id'],
    where: 'true',
    hashes: [],
  },
];
