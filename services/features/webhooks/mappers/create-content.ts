import { z } from 'zod';
import { applyContent, contentPayload, requiredContent, requireKey, toContentRequest } from './content-payload.ts';
import { defineMapper, type Mapper } from './mapper.ts';

const payload = contentPayload.extend({ source_ref: z.union([z.string(), z.number()]).nullish() });

/** `{title, body_html, slug?, excerpt?, status?, author?, source_ref?}` (spec: Mappers); keyed on `source_ref` when given. */
export function createContentMapper(name: 'create_post' | 'create_page', type: 'post' | 'page'): Mapper {
  return defineMapper({
    name,
    required: requiredContent,
    payload,
    keyOf({ source_ref }) {
      return source_ref === undefined || source_ref === null || source_ref === ''
        ? null
        : requireKey('source_ref', String(source_ref));
    },
    prepare: async () => undefined,
    apply: (scope, item, _prepared, key) => applyContent(scope, key, toContentRequest(item, type)),
    tryOut: (scope, item, key) => applyContent(scope, key, toContentRequest(item, type)),
  });
}
