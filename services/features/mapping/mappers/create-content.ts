import type { z } from 'zod';
import { prepareContent } from '../../content/index.ts';
import { applyContent, contentPayload, requiredContent, toContentRequest } from './content-payload.ts';
import { defineMapper, type Mapper, type TrialScope } from './mapper.ts';
import { keyOfSource, optionalSourceKey } from './source-key.ts';

const payload = contentPayload.extend({ source_ref: optionalSourceKey });

/** `{title, body_html, slug?, excerpt?, status?, author?, source_ref?}` (spec: Mappers); keyed on `source_ref` when given. */
export function createContentMapper(name: 'create_post' | 'create_page', type: 'post' | 'page'): Mapper {
  const prepare = ({ app, site }: Pick<TrialScope, 'app' | 'site'>, item: z.output<typeof payload>) =>
    prepareContent(app, site.id, toContentRequest(item, type));
  return defineMapper({
    name,
    required: requiredContent,
    payload,
    keyOf: ({ source_ref }, raw) => ((source_ref ?? '') === '' ? null : keyOfSource('source_ref', source_ref!, raw)),
    prepare,
    apply: (scope, _item, request, key) => applyContent(scope, key, request),
    tryOut: async (scope, item, key) => applyContent(scope, key, await prepare(scope, item)),
  });
}
