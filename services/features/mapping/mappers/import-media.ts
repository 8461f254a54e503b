import { z } from 'zod';
import { noUser } from '../../../core/roles.ts';
import { updateMedia } from '../../media/index.ts';
import { defineMapper, nonEmptyText } from './mapper.ts';

const payload = z.object({
  url: z.string().max(8192),
  alt: z.string().max(2000).nullish(),
  decorative: z.boolean().nullish(),
});

/**
 * `{url, alt?, decorative?}`: imports a file by URL into the library; an image needs alt text or `decorative` (spec:
 * Mappers).
 */
export const importMediaMapper = defineMapper({
  name: 'import_media',
  required: z.object({ url: nonEmptyText }),
  payload,
  keyOf: ({ url }) => url.trim(),
  prepare: ({ site, images, signal }, { url, alt, decorative }) =>
    images.importFile({ site, url: url.trim(), alt: alt ?? null, decorative: decorative ?? false }, (transfer) =>
      transfer(signal),
    ),
  async apply({ app, db, site }, { alt, decorative }, { row, isNew }) {
    const changes = {
      ...(alt !== undefined && alt !== null && alt !== row.alt ? { alt } : {}),
      ...(decorative !== undefined && decorative !== null && decorative !== row.decorative ? { decorative } : {}),
    };
    const changed = !isNew && Object.keys(changes).length > 0;
    if (changed) await updateMedia({ app, db, site, writer: noUser }, app.objects, row.id, changes);
    return {
      itemId: row.id,
      result: {
        item: { kind: 'media', id: row.id, media_kind: row.kind, filename: row.filename, bytes: row.bytes },
        action: isNew ? 'created' : changed ? 'updated' : 'unchanged',
      },
    };
  },
});
