import { notFound } from '../../core/errors.ts';
import { requireId } from '../../core/ids.ts';
import { created, list, ok, tagOf } from '../../core/reply.ts';
import { deletedRecord } from '../../core/schema.ts';
import { formatTimestamp } from '../../core/timestamp.ts';
import { lockRow } from '../../engines/sql/lock-row.ts';
import { type AppRoute, type Input, route } from '../route.ts';
import {
  createRedirectBody,
  readOnlyRedirectMembers,
  redirectListQuery,
  redirectRecord,
  updateRedirectBody,
} from './schema.ts';
import { createRedirect, updateRedirect } from './service.ts';
import { deleteRedirectRow, type RedirectRow, selectRedirect, selectRedirects } from './sql.ts';

const tag = 'Redirects';

function presentRedirect(row: RedirectRow) {
  return {
    id: row.id,
    from: row.from_path,
    to: row.to_url,
    status: row.status,
    created_at: formatTimestamp(row.created_at),
  };
}

async function readTag({ db, site, params }: Input): Promise<string | undefined> {
  const id = requireId(params.id, 'redirect');
  await lockRow(db, 'redirects', { id });
  const row = await selectRedirect(db, site.id, id);
  return row && tagOf(presentRedirect(row));
}

export const redirectRoutes: AppRoute[] = [
  route({
    method: 'GET',
    path: '/sites/:site/redirects',
    operationId: 'listRedirects',
    scope: 'sites:read',
    tag,
    summary: 'List redirects, newest first',
    query: redirectListQuery,
    body: { kind: 'ignored' },
    reply: { status: 200, schema: redirectRecord, list: true },
    async handler({ db, site, query }) {
      const { rows, total } = await selectRedirects(db, site.id, query);
      return list(rows.map(presentRedirect), total, query);
    },
  }),
  route({
    method: 'POST',
    path: '/sites/:site/redirects',
    operationId: 'createRedirect',
    scope: 'sites:write',
    operationKind: 'redirects.write',
    tag,
    summary: 'Create a redirect; it takes effect with the next publish',
    description:
      '`/old` and `/old/` are the same. A redirect takes precedence over a page with that path. Paths are those of the site: without `/sites/{site}`, with `/{locale}` where there is one.',
    body: { kind: 'json', schema: createRedirectBody, readOnly: readOnlyRedirectMembers },
    reply: { status: 201, schema: redirectRecord },
    errors: ['from_taken'],
    async handler({ app, db, site, body }) {
      return created(
        presentRedirect(
          await createRedirect(
            { db, site, config: app.config },
            { from_path: body.from, to_url: body.to, status: body.status },
          ),
        ),
      );
    },
  }),
  route({
    method: 'PATCH',
    path: '/sites/:site/redirects/:id',
    operationId: 'updateRedirect',
    scope: 'sites:write',
    operationKind: 'redirects.write',
    tag,
    summary: 'Change a redirect',
    body: { kind: 'json', schema: updateRedirectBody, readOnly: readOnlyRedirectMembers },
    reply: { status: 200, schema: redirectRecord },
    errors: ['from_taken'],
    etag: readTag,
    async handler({ app, db, site, params, body }) {
      const changes = {
        ...(body.from && { from_path: body.from }),
        ...(body.to && { to_url: body.to }),
        ...(body.status && { status: body.status }),
      };
      return ok(
        presentRedirect(
          await updateRedirect({ db, site, config: app.config }, requireId(params.id, 'redirect'), changes),
        ),
      );
    },
  }),
  route({
    method: 'DELETE',
    path: '/sites/:site/redirects/:id',
    operationId: 'deleteRedirect',
    scope: 'sites:write',
    operationKind: 'redirects.write',
    tag,
    summary: 'Delete a redirect',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: deletedRecord },
    etag: readTag,
    async handler({ db, site, params }) {
      const id = requireId(params.id, 'redirect');
      if (!(await deleteRedirectRow(db, site.id, id))) throw notFound('redirect');
      return ok({ id, deleted: true });
    },
  }),
];
