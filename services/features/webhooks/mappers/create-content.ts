import { applyContent, contentPayload, requiredContent, toContentRequest } from './content-payload.ts';
import { defineMapper, type Mapper } from './mapper.ts';
import { keyOfSource, optionalSourceKey } from './source-key.ts';

const payload = contentPayload.extend({ source_ref: optionalSourceKey });

/** `{title, body_html, slug?, excerpt?, status?, author?, source_ref?}` (spec: Mappers); keyed on `source_ref` when given. */
export function createContentMapper(name: 'create_post' | 'create_page', type: 'post' | 'page'): Mapper {
  return defineMapper({
    name,
    required: requiredContent,
    payload,
    keyOf: ({ source_ref }, raw) => ((source_ref ?? '') === '' ? null : keyOfSource('source_ref', source_ref!, raw)),
    prepare: async () => undefined,
    apply: (scope, item, _prepared, key) => applyContent(scope, key, toContentRequest(item, type)),
    tryOut: (scope, item, key) => applyContent(scope, key, toContentRequest(item, type)),
  });
}
