import { Problem } from '../../core/errors.ts';
import { requireStorable } from '../../core/stored-json.ts';
import { checkBody } from '../../core/validate.ts';
import { loadContent } from './present.ts';
import type { ContentRow } from './row.ts';
import { type CreateContent, createContentBody, readOnlyContentMembers } from './schema.ts';
import { type ContentScope, createContent } from './service.ts';

type BatchResult = { status: number; data: object } | { status: number; error: object };

function refused({ status, code, message, details }: Problem): BatchResult {
  return { status, error: { code, message, ...(details ? { details } : {}) } };
}

/** Creates each item on its own: one that is refused does not keep the others from being stored (contract: Beyond the specification). */
export async function createBatch(
  scope: ContentScope,
  items: readonly unknown[],
  onCreated: (row: ContentRow) => void,
): Promise<BatchResult[]> {
  const results: BatchResult[] = [];
  for (const item of items) {
    try {
      requireStorable(item);
      const request = checkBody(createContentBody, item, readOnlyContentMembers) as CreateContent;
      const row = await createContent(scope, request);
      onCreated(row);
      results.push({ status: 201, data: await loadContent(scope.app, scope.site, row) });
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500) throw error;
      results.push(refused(error));
    }
  }
  return results;
}
