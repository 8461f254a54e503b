import type { Db, SqlValue, Transaction } from '../../core/db.ts';
import { currentPrincipal, type Principal } from '../../core/principal.ts';
import { currentIds } from '../../core/work-context.ts';

/** The record that a change affects. */
export interface Target {
  kind: string;
  id?: string | null | undefined;
  name?: string | null | undefined;
}

export interface Change {
  /** The operationId of a route, or the words of a command with dots. */
  operation: string;
  /** Null for a change outside of sites. */
  site: { id: string; slug: string } | null;
  target: Target | null;
}

const maxNameLength = 200;

const shorten = (text: string | null | undefined) => text?.slice(0, maxNameLength).toWellFormed() ?? null;

const insertSql = `INSERT INTO audit_log (operation, via, user_id, key_id, integration_id, integration_slug, site_id, site_slug,
       target_kind, target_id, target_name, request_id, agent_id, agent_name)
     SELECT $1::TEXT, $2::TEXT, $3::UUID, $4::TEXT, $5::UUID, (SELECT slug FROM integrations WHERE id = $5::UUID), $6::UUID,
       $7::TEXT, $8::TEXT, $9::TEXT, $10::TEXT, $11::TEXT, $12::UUID, $13::TEXT`;

const paramsOf = (
  { operation, site, target }: Change,
  { via, userId, keyId, integrationId, agent }: Principal,
): SqlValue[] => [
  operation,
  via,
  userId ?? null,
  keyId ?? null,
  integrationId ?? null,
  site?.id ?? null,
  site?.slug ?? null,
  target?.kind ?? null,
  shorten(target?.id),
  shorten(target?.name),
  currentIds()?.request_id ?? null,
  agent?.id ?? null,
  shorten(agent?.name),
];

/**
 * Records a change with its user and channel. Call it in the transaction that makes the change, so that both commit or
 * neither does. It stores no bodies and no secrets.
 */
export async function recordChange(tx: Db, change: Change, principal: Principal = currentPrincipal()): Promise<void> {
  await tx.query(insertSql, paramsOf(change, principal));
}

/** Records a change like `recordChange`, with the commit of the transaction. */
export function queueChange(tx: Transaction, change: Change, principal: Principal): void {
  tx.queue(insertSql, paramsOf(change, principal));
}
