import type { Db } from '../../core/db.ts';
import { problem } from '../../core/errors.ts';
import type { Cipher } from '../../core/secrets.ts';
import { endpointSecrets } from '../events/index.ts';
import { integrationSecrets } from '../integrations/index.ts';
import type { SealedRow } from '../signing-secrets.ts';
import { type Line, type Row, rowsOf } from './lines.ts';

/** Tables with secrets whose encryption is bound to their row. */
const sealedTables = new Map([
  ['integrations', integrationSecrets],
  ['event_endpoints', endpointSecrets],
]);

/** Converts a line's row to one with secrets; the time is the database's own text. */
function asSealed(row: Row): SealedRow {
  const { id, secret, previous_secret, previous_until } = row as Record<keyof SealedRow, string | null>;
  const until = previous_until === null ? null : new Date(previous_until);
  const isValid = until !== null && until > new Date();
  return { id: id!, secret: secret!, previous_secret: isValid ? previous_secret : null, previous_until: until };
}

/**
 * Throws `conflict` if a valid secret that a restore would write cannot be decrypted here: those of rows that no longer
 * exist, or of all rows for a copy.
 */
export async function requireSecrets(db: Db, cipher: Cipher, lines: readonly Line[], isCopy: boolean): Promise<void> {
  for (const [table, secrets] of sealedTables) {
    const rows = rowsOf(lines, table).map(asSealed);
    const present = await db.query<{ id: string }>(`SELECT id FROM ${table} WHERE id = ANY($1::UUID[])`, [
      isCopy ? [] : rows.map(({ id }) => id),
    ]);
    const kept = new Set(present.map(({ id }) => id));
    if (rows.every((row) => kept.has(row.id) || secrets.canOpen(cipher, row))) continue;
    throw problem(
      'conflict',
      'The webhook secrets of the backup were sealed under a key that FIELDSTONE_SECRET_KEY does not list; add it.',
    );
  }
}

/** Returns the row of a copy, with its secrets encrypted for it; omits an expired previous secret. */
export function resealRow(cipher: Cipher, [table, row]: Line, fromId: string | undefined): Row {
  const secrets = sealedTables.get(table);
  if (!secrets || fromId === undefined) return row;
  const { id, secret, previous_secret: previous } = asSealed(row);
  const reseal = (sealed: string) => secrets.reseal(cipher, fromId, id, sealed);
  return { ...row, secret: reseal(secret), previous_secret: previous && reseal(previous) };
}
