import type { z } from 'zod';
import { type CreateContent, type Prepared, prepareItem } from '../../content/index.ts';
import { applyContent, contentPayload, itemMembers, requiredContent, toContentRequest } from './content-payload.ts';
import { defineMapper, type Mapper, type TrialApplyScope, type TrialPrepareScope } from './mapper.ts';
import { keyOfSource, optionalSourceKey } from './source-key.ts';

const payload = contentPayload.extend({ source_ref: optionalSourceKey, ...itemMembers });
type Item = z.output<typeof payload>;

/**
 * Creates a mapper for `{title, body_html, slug?, excerpt?, status?, author?, source_ref?, fields?}` (spec: Mappers;
 * contract: Custom fields); keyed on `source_ref` if given.
 */
export function createContentMapper(name: 'create_post' | 'create_page', type: 'post' | 'page'): Mapper {
  const steps = {
    prepare: ({ app, site }: TrialPrepareScope, item: Item) =>
      prepareItem({ app, db: app.db, site, key: site.id }, toContentRequest(item, type)),
    apply: (scope: TrialApplyScope, _item: Item, request: Prepared<CreateContent>, key: string | null) =>
      applyContent(scope, key, request),
  };
  return defineMapper({
    name,
    required: requiredContent,
    payload,
    keyOf: ({ source_ref }, raw) => ((source_ref ?? '') === '' ? null : keyOfSource('source_ref', source_ref!, raw)),
    ...steps,
    trial: steps,
  });
}
