import { randomUUID } from 'node:crypto';
import type { Db } from '../../core/db.ts';

/** What an object holds: many small contents, or one. */
type ObjectKind = 'packs' | 'blobs';

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const ownKey = new RegExp(`^(?<installation>${uuid})/(?:packs|blobs)/${uuid}$`);

/** What the keys of this installation's objects begin with: its id in SQL and a slash. */
export async function readKeyPrefix(db: Db): Promise<string> {
  const [row] = await db.query<{ id: string }>('SELECT id FROM installation WHERE one = 1');
  if (!row) throw new Error('The database has no installation id; run fieldstone migrate.');
  return `${row.id}/`;
}

/** A new random key: `{installation}/packs/{uuid}`. Objects from before this form have the same without its beginning. */
export const newKey = (prefix: string, kind: ObjectKind): string => `${prefix}${kind}/${randomUUID()}`;

/** Whether an object can only have been stored by the installation of `prefix`, so that it may sweep it. */
export const isOwnKey = (prefix: string, key: string): boolean =>
  `${ownKey.exec(key)?.groups?.installation}/` === prefix;
