import type { Database } from '../engines/sql/database.ts';
import { type Change, recordChange } from '../features/audit/index.ts';
import { selectSiteById } from '../features/sites/index.ts';

/** The site of a row, as the audit log names it; null when it is gone. */
export async function auditedSite({ query }: Pick<Database, 'query'>, siteId: string): Promise<Change['site']> {
  const site = await selectSiteById({ query }, siteId);
  return site ? { id: site.id, slug: site.slug } : null;
}

/**
 * The database for one change of a command: its transaction also records the change. `describe` names what was changed, from what the
 * transaction returns.
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

/** A change of something that belongs to no site. */
export const changeOf = (operation: string, kind: string, id: string | null, name?: string) => (): Change => ({
  operation,
  site: null,
  target: { kind, id, name },
});

/** A change of something of a site. */
export const siteChange =
  (operation: string, { id, slug }: { id: string; slug: string }, kind: string, target: string | null) =>
  (): Change => ({ operation, site: { id, slug }, target: { kind, id: target } });
