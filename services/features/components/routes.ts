import { notFound } from '../../core/errors.ts';
import { created, largeList, ok, tagOf } from '../../core/reply.ts';
import { deletedRecord, pageQuery } from '../../core/schema.ts';
import { formatTimestamp } from '../../core/timestamp.ts';
import { lockRow } from '../../engines/sql/lock-row.ts';
import { type AppRoute, type Input, route } from '../route.ts';
import {
  componentBody,
  componentRecord,
  componentWithSource,
  handlePattern,
  readOnlyComponentMembers,
  triedComponent,
  tryComponentBody,
  writtenComponent,
} from './schema.ts';
import { prepareComponent, storeComponent, tryComponent } from './service.ts';
import { type ComponentRow, deleteComponentRow, selectComponent, selectComponents } from './sql.ts';

const tag = 'Components';

function presentComponent(row: ComponentRow) {
  const { handle, type, css, variables_schema, sha256, updated_at } = row;
  return { handle, type, css, variables_schema, sha256, updated_at: formatTimestamp(updated_at) };
}

/** Returns the handle in a path. Throws 404 for an invalid handle, which the database might not even accept as text. */
function handleOf({ handle = '' }: Record<string, string>): string {
  if (!handlePattern.test(handle)) throw notFound('component');
  return handle;
}

/**
 * Returns the entity tag, the same for every response that shows the component, with source code or warnings: `sha256`
 * represents the source.
 */
const componentTag = (row: ComponentRow) => tagOf(presentComponent(row));

async function readTag({ db, site, params }: Input): Promise<string | undefined> {
  const handle = handleOf(params);
  await lockRow(db, 'components', { site_id: site.id, handle });
  const row = await selectComponent(db, site.id, handle);
  return row && componentTag(row);
}

export const componentRoutes: AppRoute[] = [
  route({
    method: 'GET',
    path: '/sites/:site/components',
    operationId: 'listComponents',
    scope: 'components:write',
    tag,
    summary: 'List components, last changed first',
    query: pageQuery,
    body: { kind: 'ignored' },
    reply: { status: 200, schema: componentRecord, list: true },
    async handler({ db, site, query }) {
      return largeList(await selectComponents(db, site.id, query), query, (rows) => rows.map(presentComponent));
    },
  }),
  route({
    method: 'GET',
    path: '/sites/:site/components/:handle',
    operationId: 'getComponent',
    scope: 'components:write',
    tag,
    summary: 'Read a component with its source code',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: componentWithSource },
    async handler({ app, db, site, params, fields }) {
      const row = await selectComponent(db, site.id, handleOf(params));
      if (!row) throw notFound('component');
      if (fields && !fields.has('source_code')) return ok(presentComponent(row), componentTag(row));
      const source = await app.objects.getBytes(row.source_hash);
      return ok({ ...presentComponent(row), source_code: source.toString('utf8') }, componentTag(row));
    },
  }),
  route({
    method: 'PUT',
    path: '/sites/:site/components/:handle',
    operationId: 'putComponent',
    scope: 'components:write',
    tag,
    summary: 'Create or replace a component; pages show it after the next publish',
    body: { kind: 'json', schema: componentBody, readOnly: readOnlyComponentMembers },
    reply: { status: 200, schema: writtenComponent, description: '201 for a new component' },
    errors: ['compile_failed'],
    etag: readTag,
    prepare: ({ app, caller, params, body }) => prepareComponent(app, caller.id, params.handle!, body),
    async handler({ app, db, site, prepared }) {
      const { row, isNew } = await storeComponent(db, app.objects, site.id, prepared);
      const data = { ...presentComponent(row), warnings: prepared.warnings };
      return isNew ? created(data, componentTag(row)) : ok(data, componentTag(row));
    },
  }),
  route({
    method: 'POST',
    path: '/sites/:site/components/:handle/try',
    operationId: 'tryComponent',
    scope: 'components:write',
    operationKind: 'read',
    tag,
    summary: 'Render a component on its own, as it would be stored; nothing is stored',
    description:
      'The component need not exist. In a trial there are no items, files and other components: `posts()` and `pages()` are empty, `media()` is null, and `component()` renders nothing. The markup of an HTML component has at most 1,000,000 bytes; more is an `error`.',
    body: { kind: 'json', schema: tryComponentBody, readOnly: readOnlyComponentMembers },
    reply: { status: 200, schema: triedComponent },
    errors: ['compile_failed'],
    transaction: { none: 'Nothing is stored.' },
    prepare: ({ app, site, caller, params, body }) => tryComponent(app, caller.id, site, params.handle!, body),
    handler: async ({ prepared }) => ok(prepared),
  }),
  route({
    method: 'DELETE',
    path: '/sites/:site/components/:handle',
    operationId: 'deleteComponent',
    scope: 'components:write',
    tag,
    summary: 'Delete a component; pages no longer show it after the next publish',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: deletedRecord },
    etag: readTag,
    async handler({ db, site, params }) {
      const handle = handleOf(params);
      if (!(await deleteComponentRow(db, site.id, handle))) throw notFound('component');
      return ok({ id: handle, deleted: true });
    },
  }),
];
