import type { Database } from '../engines/sql/database.ts';
import { type Change, recordChange } from '../features/audit/index.ts';
import { selectSiteById } from '../features/sites/index.ts';

/** Returns id and slug of a site for the audit log; null if it no longer exists. */
export async function auditedSite({ query }: Pick<Database, 'query'>, siteId: string): Promise<Change['site']> {
  const site = await selectSiteById({ query }, siteId);
  return site ? { id: site.id, slug: site.slug } : null;
}

/**
 * Returns the database for one change of a command: its transactions also record the change. `describe` returns the
 * change from the result of the transaction.
 */
export function auditing<Result>(db: Database, describe: (result: Result) => Change) {
  return {
    ...db,
    transaction: <T extends Result>(work: Parameters<typeof db.transaction<T>>[0]): Promise<T> =>
      db.transaction(async (tx) => {
        const result = await work(tx);
        await recordChange(tx, describe(result));
        return result;
      }),
  };
}

/** Returns a function that returns a change outside of sites. */
export const changeOf = (operation: string, kind: string, id: string | null, name?: string) => (): Change => ({
  operation,
  site: null,
  target: { kind, id, name },
});

/** Returns a function that returns a change of a record of a site. */
export const siteChange =
  (operation: string, { id, slug }: { id: string; slug: string }, kind: string, target: string | null) =>
  (): Change => ({ operation, site: { id, slug }, target: { kind, id: target } });
