import { problem } from '../../../core/errors.ts';
import { requireId } from '../../../core/ids.ts';
import { list } from '../../../core/reply.ts';
import { pageQuery } from '../../../core/schema.ts';
import { grants } from '../../../core/scopes.ts';
import { formatTimestamp } from '../../../core/timestamp.ts';
import { selectMediaUses } from '../../content/index.ts';
import { type AppRoute, route } from '../../route.ts';
import { requireMedia } from '../library.ts';
import { tag, what } from '../route-helpers.ts';
import { mediaUseRecord } from '../schema.ts';

export const mediaUsageRoutes: AppRoute[] = [
  route({
    method: 'GET',
    path: '/sites/:site/media/:id/usage',
    operationId: 'listMediaUsage',
    scope: 'media:read',
    tag,
    summary: 'List the content items that use an item',
    description:
      'Items that name it in the body, in the values of a component there, as the featured image or in a custom field; also unpublished ones and those in the trash. Not seen: files of the shell and sources of components, pending drafts, and earlier revisions. Also needs the scope `content:read`, because it shows content items.',
    query: pageQuery,
    body: { kind: 'ignored' },
    reply: { status: 200, schema: mediaUseRecord, list: true },
    async handler({ db, site, caller, params, query }) {
      if (!grants(caller.scopes, 'content:read'))
        throw problem('scope_missing', 'The items that use a media item also need the scope content:read.');
      const { id } = await requireMedia({ db, site }, requireId(params.id, what));
      const { rows, total } = await selectMediaUses(db, site.id, id, query);
      const data = rows.map(({ trashed_at, ...use }) => ({
        ...use,
        trashed_at: trashed_at ? formatTimestamp(trashed_at) : null,
      }));
      return list(data, total, query);
    },
  }),
];
