import { z } from 'zod';
import { componentBody, prepareComponent, storeComponent } from '../../components/index.ts';
import { defineMapper, nonEmptyText } from './mapper.ts';

/**
 * `{handle, type, source_code, css?}`: creates or replaces a component; one that does not compile is an error (spec:
 * Mappers).
 */
export const upsertComponentMapper = defineMapper({
  name: 'upsert_component',
  required: z.object({ handle: nonEmptyText, type: nonEmptyText, source_code: nonEmptyText }),
  payload: z.object({ handle: z.string(), ...componentBody.shape }),
  keyOf: ({ handle }) => handle,
  prepare: ({ app, site }, { handle, ...request }) => prepareComponent(app, site.id, handle, request),
  async apply({ app, db, site }, { handle }, prepared) {
    const { row, isNew } = await storeComponent(db, app.objects, site.id, prepared);
    return {
      itemId: handle,
      result: {
        item: { kind: 'component', handle, type: row.type, sha256: row.sha256 },
        action: isNew ? 'created' : 'updated',
        warnings: prepared.warnings,
      },
    };
  },
});
