import type { Db } from '../core/db.ts';
import type { Cipher } from '../core/secrets.ts';

/**
 * The columns of a row with a signing secret and, for a while after a rotation, the previous one. Both are encrypted.
 */
export interface SealedRow {
  id: string;
  secret: string;
  previous_secret: string | null;
  previous_until: Date | null;
}

/** How long the previous secret stays valid after a rotation (contract: `rotate`). */
const overlapHours = 24;
/** Maximum number of rows, the newest, that a check of the key ring reads. */
const maxChecked = 1000;

const sealedColumns = 'id, secret, previous_secret, previous_until';

/** Returns the previous secret while it is valid. */
const validPrevious = ({ previous_secret, previous_until }: Omit<SealedRow, 'id' | 'secret'>, now: Date) =>
  previous_until && previous_until > now ? previous_secret : null;

/**
 * Creates the functions for the signing secrets of a table. A secret can be decrypted only for its own row: `owner` and
 * the row's id are bound to it.
 */
export function createSigningSecrets(table: 'integrations' | 'event_endpoints', owner: string) {
  const contextOf = (id: string) => `${owner}:${id}`;
  const openSealed = (cipher: Cipher, id: string, sealed: string) => cipher.decrypt(sealed, contextOf(id));

  const secrets = {
    seal(cipher: Cipher, id: string, secret: string): string {
      return cipher.encrypt(secret, contextOf(id));
    },

    /** Returns the current secret. Throws when no key of the ring can decrypt it. */
    open(cipher: Cipher, { id, secret }: Pick<SealedRow, 'id' | 'secret'>): string {
      return openSealed(cipher, id, secret);
    },

    /**
     * Returns the current secret, and the previous one while it is valid. Throws when no key of the ring can decrypt
     * one of them.
     */
    openValid(cipher: Cipher, row: SealedRow, now = new Date()): string[] {
      const previous = validPrevious(row, now);
      return [row.secret, ...(previous ? [previous] : [])].map((sealed) => openSealed(cipher, row.id, sealed));
    },

    /** Encrypts a secret again for another row (a copy of a site). Throws when no key of the ring can decrypt it. */
    reseal(cipher: Cipher, fromId: string, toId: string, sealed: string): string {
      return secrets.seal(cipher, toId, openSealed(cipher, fromId, sealed));
    },

    /**
     * Replaces the secret; the current one becomes the previous one, valid for a day. Returns the row's `columns`;
     * undefined when the row is gone.
     */
    async rotate<Row extends object>(db: Db, id: string, sealed: string, columns: string): Promise<Row | undefined> {
      const rows = await db.query<Row>(
        `UPDATE ${table} SET previous_secret = secret, previous_until = now() + $3::INT8 * INTERVAL '1 hour', secret = $2
         WHERE id = $1 RETURNING ${columns}`,
        [id, sealed, overlapHours],
      );
      return rows[0];
    },

    /**
     * Encrypts every secret again under the first key of the ring, so that the others can be removed; drops expired
     * previous secrets. Returns the number of changed rows. Throws when no key of the ring can decrypt one.
     */
    async rekey(db: Db, cipher: Cipher, now = new Date()): Promise<number> {
      let changed = 0;
      for (const row of await db.query<SealedRow>(`SELECT ${sealedColumns} FROM ${table}`)) {
        const { id, secret, previous_secret: before } = row;
        if (cipher.isCurrent(secret) && (before === null || cipher.isCurrent(before))) continue;
        const previous = validPrevious(row, now);
        const seal = (sealed: string) => secrets.reseal(cipher, id, id, sealed);
        // a concurrent rotation uses the new key already
        const updated = await db.query(
          `UPDATE ${table} SET secret = $2, previous_secret = $3::TEXT
           WHERE id = $1 AND secret = $4 AND previous_secret IS NOT DISTINCT FROM $5::TEXT RETURNING id`,
          [id, seal(secret), previous && seal(previous), secret, before],
        );
        changed += updated.length;
      }
      return changed;
    },

    /**
     * Counts the newest rows with a secret that no key of the ring can decrypt; for a check of FIELDSTONE_SECRET_KEY.
     */
    async countUnreadable(db: Db, cipher: Cipher): Promise<{ read: number; unreadable: number }> {
      const rows = await db.query<SealedRow>(
        `SELECT ${sealedColumns} FROM ${table} ORDER BY created_at DESC LIMIT ${maxChecked}`,
      );
      return { read: rows.length, unreadable: rows.filter((row) => !secrets.canOpen(cipher, row)).length };
    },

    /** Whether the ring can decrypt the row's valid secrets. */
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
