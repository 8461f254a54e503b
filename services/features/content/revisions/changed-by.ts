import { z } from 'zod';
import type { Db } from '../../../core/db.ts';
import { type Named, selectAgentNames, selectIntegrationNames, selectKeyNames, selectUserNames } from './sql.ts';

/** The author of a change in records. */
export const changedByRecord = z.object({
  type: z.string().describe('`key`, `user` (of the dashboard), `agent`, `integration` or `scheduler`'),
  id: z
    .string()
    .nullable()
    .describe('The public id of the key, or the `id` of the user, agent or integration; null for the scheduler'),
  name: z
    .string()
    .nullable()
    .describe(
      'The name of the key, user, agent or integration; null if it has been deleted, or if the user has no name',
    ),
  user: z.string().nullable().describe('The e-mail address of the user, or of the user of the key or agent'),
});
export type ChangedBy = z.output<typeof changedByRecord>;

/**
 * Parses `key:…`, `user:…`, `agent:…`, `integration:…` and `scheduler`, the values of `changed_by` in rows
 * (`ContentScope.changedBy`).
 */
function parse(changedBy: string): { type: string; id: string | null } {
  const at = changedBy.indexOf(':');
  return at < 0 ? { type: changedBy, id: null } : { type: changedBy.slice(0, at), id: changedBy.slice(at + 1) };
}

/** Reads the names of the authors of changes. Returns a function that presents each of them. */
export async function readChangedBy(db: Db, all: readonly string[]): Promise<(changedBy: string) => ChangedBy> {
  const idsOf = (type: string) => [
    ...new Set(all.map(parse).flatMap((by) => (by.type === type && by.id ? by.id : []))),
  ];
  const find = async (ids: string[], select: (db: Db, ids: string[]) => Promise<Named[]>) =>
    ids.length === 0 ? [] : select(db, ids);
  const keys = await find(idsOf('key'), selectKeyNames);
  const users = await find(idsOf('user'), selectUserNames);
  const agents = await find(idsOf('agent'), selectAgentNames);
  const integrations = await find(idsOf('integration'), selectIntegrationNames);
  const byName = new Map<string, Named>([
    ...keys.map((row): [string, Named] => [`key:${row.id}`, row]),
    ...users.map((row): [string, Named] => [`user:${row.id}`, row]),
    ...agents.map((row): [string, Named] => [`agent:${row.id}`, row]),
    ...integrations.map((row): [string, Named] => [`integration:${row.id}`, row]),
  ]);
  return (changedBy) => {
    const found = byName.get(changedBy);
    return { ...parse(changedBy), name: found?.name ?? null, user: found?.email ?? null };
  };
}
