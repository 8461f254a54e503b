import { notFound } from '../../../core/errors.ts';
import { created, largeList, ok, tagOf } from '../../../core/reply.ts';
import { deletedRecord, pageQuery } from '../../../core/schema.ts';
import { formatTimestamp } from '../../../core/timestamp.ts';
import { lockRow } from '../../../engines/sql/lock-row.ts';
import { type AppRoute, type Input, route } from '../../route.ts';
import { isTypeName, readOnlyTypeMembers, typeBody, typeRecord } from './schema.ts';
import { deleteType, prepareType, storeType } from './service.ts';
import { selectType, selectTypes, type TypeRow } from './sql.ts';

const tag = 'Types';

function presentType({ type, name, fields_schema, created_at, updated_at }: TypeRow) {
  const times = { created_at: formatTimestamp(created_at), updated_at: formatTimestamp(updated_at) };
  return { type, name, fields_schema, ...times };
}

/** Returns the type in a path. Throws `not_found` for an invalid type name. */
function typeOf({ type = '' }: Record<string, string>): string {
  if (!isTypeName(type)) throw notFound('type');
  return type;
}

/**
 * Returns the entity tag of the type in the path; undefined if it does not exist. Throws `not_found` for an invalid
 * type name.
 */
async function readTypeTag({ db, site, params }: Input): Promise<string | undefined> {
  const type = typeOf(params);
  await lockRow(db, 'content_types', { site_id: site.id, type });
  const row = await selectType(db, site.id, type);
  return row && tagOf(presentType(row));
}

export const typeRoutes: AppRoute[] = [
  route({
    method: 'GET',
    path: '/sites/:site/types',
    operationId: 'listTypes',
    scope: 'content:read',
    tag,
    summary: 'List the types that have a schema, by name',
    query: pageQuery,
    body: { kind: 'ignored' },
    reply: { status: 200, schema: typeRecord, list: true },
    async handler({ db, site, query }) {
      return largeList(await selectTypes(db, site.id, query), query, (rows) => rows.map(presentType));
    },
  }),
  route({
    method: 'GET',
    path: '/sites/:site/types/:type',
    operationId: 'getType',
    scope: 'content:read',
    tag,
    summary: 'Read a type',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: typeRecord },
    async handler({ db, site, params }) {
      const row = await selectType(db, site.id, typeOf(params));
      if (!row) throw notFound('type');
      return ok(presentType(row));
    },
  }),
  route({
    method: 'PUT',
    path: '/sites/:site/types/:type',
    operationId: 'putType',
    scope: 'sites:write',
    operationKind: 'types.write',
    tag,
    summary: 'Create or replace the schema of the `fields` of a type',
    description:
      'Items of the type, the trash included, must fit the schema: otherwise 409 `conflict`, whose `details` name the first 100 that do not. While items are written at the same moment it may be 503 with `Retry-After`.',
    body: { kind: 'json', schema: typeBody, readOnly: readOnlyTypeMembers },
    reply: { status: 200, schema: typeRecord, description: '201 for a new type' },
    errors: ['conflict'],
    etag: readTypeTag,
    prepare: ({ app, db, site, caller, params, body }) =>
      prepareType({ app, db, site, key: caller.id }, params.type!, body),
    async handler({ db, site, prepared }) {
      const { row, isNew } = await storeType(db, site.id, prepared);
      return isNew ? created(presentType(row)) : ok(presentType(row));
    },
  }),
  route({
    method: 'DELETE',
    path: '/sites/:site/types/:type',
    operationId: 'deleteType',
    scope: 'sites:write',
    operationKind: 'types.write',
    tag,
    summary: 'Delete the schema of a type that no item has',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: deletedRecord },
    errors: ['in_use'],
    etag: readTypeTag,
    async handler({ db, site, params }) {
      const type = typeOf(params);
      await deleteType(db, site.id, type);
      return ok({ id: type, deleted: true });
    },
  }),
];
