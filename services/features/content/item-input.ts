import { notFound } from '../../core/errors.ts';
import { requireId } from '../../core/ids.ts';
import { created, ok, type Reply } from '../../core/reply.ts';
import { lockRow } from '../../engines/sql/lock-row.ts';
import type { Input } from '../route.ts';
import type { Prepared } from './body/prepare-body.ts';
import { type PrepareScope, prepareItem } from './prepare-item.ts';
import { itemTag, presentItem } from './present.ts';
import type { ContentRow } from './row.ts';
import type { UpdateContent } from './schema.ts';
import { type ContentScope, changedByOf } from './scope.ts';
import { selectBodiless, selectFields } from './sql.ts';

/** The name of an item in error messages. */
export const itemName = 'content item';

/** Returns the scope of a request that changes items. */
export function scopeOf({ app, db, site, caller, writer }: Input): ContentScope {
  return { app, db, site, changedBy: changedByOf(caller), writer };
}

export const prepareScopeOf = ({ app, db, site, caller }: Input): PrepareScope => ({ app, db, site, key: caller.id });

/** Stands for the item of a request that sets neither type nor fields, so that no fields are checked. */
const keepsFields = { type: '', fields: {} };

/**
 * Prepares the members of an update of the item in the path. Call it before the transaction. Throws `not_found`, and
 * the errors of `prepareItem`.
 */
export async function prepareUpdate(input: Input, body: UpdateContent): Promise<Prepared<UpdateContent>> {
  const id = requireId(input.params.id, itemName);
  const setsFields = body.type !== undefined || body.fields !== undefined;
  const known = setsFields ? await selectFields(input.db, input.site.id, id) : keepsFields;
  if (!known) throw notFound(itemName);
  return prepareItem(prepareScopeOf(input), body, known);
}

/** Wakes the site actor after the commit if the item is scheduled, because the actor publishes due items. */
export function wakeScheduler(
  { app, site, afterCommit }: Pick<Input, 'app' | 'site' | 'afterCommit'>,
  row: Pick<ContentRow, 'status'>,
): void {
  if (row.status === 'scheduled') afterCommit(() => app.actors.wakeSite(site.id));
}

/** Returns the reply with the record and entity tag of an item. */
export const showItem = ({ app, site }: Input, row: ContentRow, withTrash = false): Reply =>
  ok(presentItem(app, site, row, withTrash), itemTag(app, site, row));

/** Returns the same reply with status 201, for an item that the request created. */
export const showCreated = ({ app, site }: Input, row: ContentRow): Reply =>
  created(presentItem(app, site, row), itemTag(app, site, row));

/**
 * Returns the function that reads the entity tag of the item in the path. It returns undefined unless the item is in
 * the trash (with `inTrash`) or outside of it; then the handler throws.
 */
export const readItemTag =
  (inTrash: boolean) =>
  async ({ app, db, site, params }: Input): Promise<string | undefined> => {
    const id = requireId(params.id, itemName);
    await lockRow(db, 'content', { id });
    const row = await selectBodiless(db, site.id, id);
    return row && (row.trashed_at !== null) === inTrash ? itemTag(app, site, row) : undefined;
  };
