import type { BackupTable } from './backup-table.ts';

const time = 'TIMESTAMPTZ';
const plain = 'plain';

/** What belongs to the whole installation, in an order in which it can be written. Of keys there are only hashes. A test holds it against the schema. */
export const installationTables: readonly BackupTable[] = [
  {
    name: 'users',
    columns: { id: plain, email: plain, role: plain, active: plain, password_hash: plain, created_at: time },
    keys: ['id'],
    where: 'true',
    hashes: [],
  },
  {
    name: 'teams',
    columns: { id: plain, slug: plain, name: plain, sites: plain, created_at: time },
    keys: ['id'],
    where: 'true',
    hashes: [],
  },
  {
    name: 'team_members',
    columns: { team_id: plain, user_id: plain },
    keys: ['team_id', 'user_id'],
    where: 'true',
    hashes: [],
  },
  {
    name: 'api_keys',
    columns: {
      id: plain,
      user_id: plain,
      name: plain,
      scopes: plain,
      sites: plain,
      secret_hash: plain,
      previous_hash: plain,
      previous_until: time,
      revoked_at: time,
      created_at: time,
    },
    keys: ['id'],
    where: 'true',
    hashes: [],
  },
];
