import type { Db } from '../core/db.ts';
import type { Cipher } from '../core/secrets.ts';

/** The columns of a row that has a signing secret, and after a rotation the one before for a while. Both are sealed. */
export interface SealedRow {
  id: string;
  secret: string;
  previous_secret: string | null;
  previous_until: Date | null;
}

/** How long the secret before stays valid after a rotation (contract: `rotate`). */
const overlapHours = 24;
/** A check of the key ring looks at so many of the newest. */
const maxChecked = 1000;

const sealedColumns = 'id, secret, previous_secret, previous_until';

/** The secret before, while it is still of use. */
const validPrevious = ({ previous_secret, previous_until }: Omit<SealedRow, 'id' | 'secret'>, now: Date) =>
  previous_until && previous_until > now ? previous_secret : null;

/** The signing secrets of a table. A sealed one opens only for the row it was made for: `owner` and the row's id bind it. */
export function createSigningSecrets(table: 'integrations' | 'event_endpoints', owner: string) {
  const contextOf = (id: string) => `${owner}:${id}`;
  const openSealed = (cipher: Cipher, id: string, sealed: string) => cipher.decrypt(sealed, contextOf(id));

  const secrets = {
    seal(cipher: Cipher, id: string, secret: string): string {
      return cipher.encrypt(secret, contextOf(id));
    },

    /** The current secret. Throws when no key of the ring opens it. */
    open(cipher: Cipher, { id, secret }: Pick<SealedRow, 'id' | 'secret'>): string {
      return openSealed(cipher, id, secret);
    },

    /** The current secret, and the one before while it is valid. Throws when no key of the ring opens one of them. */
    openValid(cipher: Cipher, row: SealedRow, now = new Date()): string[] {
      const previous = validPrevious(row, now);
      return [row.secret, ...(previous ? [previous] : [])].map((sealed) => openSealed(cipher, row.id, sealed));
    },

    /** A secret sealed anew for another row (a copy of a site). Throws when no key of the ring opens it. */
    reseal(cipher: Cipher, fromId: string, toId: string, sealed: string): string {
      return secrets.seal(cipher, toId, openSealed(cipher, fromId, sealed));
    },

    /** The secret before becomes the previous one, valid for a day more. Answers the row's `columns`; nothing when it is gone. */
    async rotate<Row extends object>(db: Db, id: string, sealed: string, columns: string): Promise<Row | undefined> {
      const rows = await db.query<Row>(
        `UPDATE ${table} SET previous_secret = secret, previous_until = now() + $3::INT8 * INTERVAL '1 hour', secret = $2
         WHERE id = $1 RETURNING ${columns}`,
        [id, sealed, overlapHours],
      );
      return rows[0];
    },

    /**
     * Seals every secret under the first key of the ring again, so that the others may be taken out of it; one before that is no
     * longer valid is forgotten. Answers how many rows were changed. Throws when no key of the ring opens one.
     */
    async rekey(db: Db, cipher: Cipher, now = new Date()): Promise<number> {
      let changed = 0;
      for (const row of await db.query<SealedRow>(`SELECT ${sealedColumns} FROM ${table}`)) {
        const { id, secret, previous_secret: before } = row;
        if (cipher.isCurrent(secret) && (before === null || cipher.isCurrent(before))) continue;
        const previous = validPrevious(row, now);
        const seal = (sealed: string) => secrets.reseal(cipher, id, id, sealed);
        // one that is rotated at this moment has the new key already
        const updated = await db.query(
          `UPDATE ${table} SET secret = $2, previous_secret = $3::TEXT
           WHERE id = $1 AND secret = $4 AND previous_secret IS NOT DISTINCT FROM $5::TEXT RETURNING id`,
          [id, seal(secret), previous && seal(previous), secret, before],
        );
        changed += updated.length;
      }
      return changed;
    },

    /** How many of the newest rows have a secret that no key of the ring opens; for a check of FIELDSTONE_SECRET_KEY. */
    async countUnreadable(db: Db, cipher: Cipher): Promise<{ read: number; unreadable: number }> {
      const rows = await db.query<SealedRow>(
        `SELECT ${sealedColumns} FROM ${table} ORDER BY created_at DESC LIMIT ${maxChecked}`,
      );
      return { read: rows.length, unreadable: rows.filter((row) => !secrets.canOpen(cipher, row)).length };
    },

    /** Whether the ring opens what the row has of valid secrets. */
    canOpen(cipher: Cipher, row: SealedRow): boolean {
      try {
        secrets.openValid(cipher, row);
        return true;
      } catch {
        return false;
      }
    },
  };
  return secrets;
}
