import { randomUUID } from 'node:crypto';
import type { Db } from '../../core/db.ts';

/** The contents of an object: many small blobs, or one. */
type ObjectKind = 'packs' | 'blobs';

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const ownKey = new RegExp(`^(?<installation>${uuid})/(?:packs|blobs)/${uuid}$`);

/** Returns the prefix of the keys of this installation's objects: its id in SQL and a slash. */
export async function readKeyPrefix(db: Db): Promise<string> {
  const [row] = await db.query<{ id: string }>('SELECT id FROM installation WHERE one = 1');
  if (!row) throw new Error('The database has no installation id; run fieldstone migrate.');
  return `${row.id}/`;
}

/** Returns a new random key: `{installation}/packs/{uuid}`. Older objects have keys without the installation. */
export const newKey = (prefix: string, kind: ObjectKind): string => `${prefix}${kind}/${randomUUID()}`;

/** Returns whether only the installation of `prefix` can have stored an object, so that it may sweep it. */
export const isOwnKey = (prefix: string, key: string): boolean =>
  `${ownKey.exec(key)?.groups?.installation}/` === prefix;
