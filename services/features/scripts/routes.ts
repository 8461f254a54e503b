import { invalid, notFound } from '../../core/errors.ts';
import { requireId } from '../../core/ids.ts';
import { created, largeList, ok, tagOf } from '../../core/reply.ts';
import { deletedRecord, pageQuery } from '../../core/schema.ts';
import { formatTimestamp } from '../../core/timestamp.ts';
import { lockRow } from '../../engines/sql/lock-row.ts';
import { type AppRoute, type Input, route } from '../route.ts';
import { withinScriptLimits } from './limits.ts';
import { createScriptBody, readOnlyScriptMembers, scriptRecord, updateScriptBody } from './schema.ts';
import {
  deleteScriptRow,
  insertScript,
  type ScriptMembers,
  type ScriptRow,
  selectScript,
  selectScripts,
  updateScriptRow,
} from './sql.ts';

const tag = 'Scripts';

function presentScript({ id, name, position, src, code, created_at }: ScriptRow) {
  return { id, name, position, src, code, created_at: formatTimestamp(created_at) };
}

async function readTag({ db, site, params }: Input): Promise<string | undefined> {
  const id = requireId(params.id, 'script');
  await lockRow(db, 'scripts', { id });
  const row = await selectScript(db, site.id, id);
  return row && tagOf(presentScript(row));
}

/** Applies changes to a script; a new source, `src` or `code`, replaces the old one. Throws `validation_failed`. */
function applyChanges(before: ScriptRow, changes: Partial<ScriptMembers>): ScriptMembers {
  const next = { ...before, ...changes };
  if (changes.src != null && changes.code === undefined) next.code = null;
  if (changes.code != null && changes.src === undefined) next.src = null;
  if ((next.src === null) === (next.code === null))
    throw invalid([{ path: 'src', message: 'give exactly one of src and code' }]);
  return next;
}

export const scriptRoutes: AppRoute[] = [
  route({
    method: 'GET',
    path: '/sites/:site/scripts',
    operationId: 'listScripts',
    scope: 'sites:read',
    tag,
    summary: 'List scripts, newest first',
    query: pageQuery,
    body: { kind: 'ignored' },
    reply: { status: 200, schema: scriptRecord, list: true },
    async handler({ db, site, query }) {
      return largeList(await selectScripts(db, site.id, query), query, (rows) => rows.map(presentScript));
    },
  }),
  route({
    method: 'POST',
    path: '/sites/:site/scripts',
    operationId: 'createScript',
    scope: 'sites:write',
    operationKind: 'scripts.write',
    tag,
    summary:
      "Add a script to every page, from the next publish on; its hash goes into the pages' Content-Security-Policy",
    body: { kind: 'json', schema: createScriptBody, readOnly: readOnlyScriptMembers },
    reply: { status: 201, schema: scriptRecord },
    async handler({ app, db, site, body }) {
      const members = { ...body, src: body.src ?? null, code: body.code ?? null };
      const { siteLimits } = app.config;
      return created(
        presentScript(await withinScriptLimits(db, site.id, siteLimits, () => insertScript(db, site.id, members))),
      );
    },
  }),
  route({
    method: 'PATCH',
    path: '/sites/:site/scripts/:id',
    operationId: 'updateScript',
    scope: 'sites:write',
    operationKind: 'scripts.write',
    tag,
    summary: 'Change a script',
    body: { kind: 'json', schema: updateScriptBody, readOnly: readOnlyScriptMembers },
    reply: { status: 200, schema: scriptRecord },
    etag: readTag,
    async handler({ app, db, site, params, body }) {
      const id = requireId(params.id, 'script');
      const before = await selectScript(db, site.id, id);
      if (!before) throw notFound('script');
      const members = applyChanges(before, body);
      const change = () => updateScriptRow(db, site.id, id, members);
      const after = await withinScriptLimits(db, site.id, app.config.siteLimits, change);
      if (!after) throw notFound('script');
      return ok(presentScript(after));
    },
  }),
  route({
    method: 'DELETE',
    path: '/sites/:site/scripts/:id',
    operationId: 'deleteScript',
    scope: 'sites:write',
    operationKind: 'scripts.write',
    tag,
    summary: 'Delete a script',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: deletedRecord },
    etag: readTag,
    async handler({ db, site, params }) {
      const id = requireId(params.id, 'script');
      if (!(await deleteScriptRow(db, site.id, id))) throw notFound('script');
      return ok({ id, deleted: true });
    },
  }),
];
