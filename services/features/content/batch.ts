import { Problem } from '../../core/errors.ts';
import { requireStorable } from '../../core/stored-json.ts';
import { checkBody } from '../../core/validate.ts';
import type { Prepared } from './body/prepare-body.ts';
import { type PrepareScope, prepareItems } from './prepare-item.ts';
import { presentItem } from './present.ts';
import type { ContentRow } from './row.ts';
import { type CreateContent, createContentBody, readOnlyContentMembers } from './schema.ts';
import type { ContentScope } from './scope.ts';
import { createContent } from './write.ts';

type BatchResult = { status: number; data: object } | { status: number; error: object };

function refused({ status, code, message, details }: Problem): BatchResult {
  return { status, error: { code, message, ...(details ? { details } : {}) } };
}

/** An item of a batch: ready to be created, or the error that rejects it. */
export type BatchItem = { request: Prepared<CreateContent> } | { refusal: Problem };

/**
 * Runs the work on one item. A client error (below 500) becomes the item's result; any other error fails the whole
 * request.
 */
async function settle<T, R>(work: () => T | Promise<T>, refuse: (refusal: Problem) => R): Promise<T | R> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    return refuse(error);
  }
}

function readItem(item: unknown): CreateContent {
  requireStorable(item);
  return checkBody(createContentBody, item, readOnlyContentMembers) as CreateContent;
}

/**
 * Validates each item on its own and prepares the bodies of the valid ones, before the transaction. Throws
 * `unavailable`.
 */
export async function prepareBatch(scope: PrepareScope, items: readonly unknown[]): Promise<BatchItem[]> {
  const read = await Promise.all(
    items.map((item) =>
      settle(
        () => ({ given: readItem(item) }),
        (refusal) => ({ refusal }),
      ),
    ),
  );
  const given = read.flatMap((item) => ('given' in item ? [item.given] : []));
  const requests = (await prepareItems(scope, given)).values();
  return read.map((item) => ('refusal' in item ? item : { request: requests.next().value! }));
}

/**
 * Creates each item on its own: a rejected item does not prevent the others from being stored (contract: Beyond the
 * specification).
 */
export async function createBatch(
  scope: ContentScope,
  items: readonly BatchItem[],
  onCreated: (row: ContentRow) => void,
): Promise<BatchResult[]> {
  const results: BatchResult[] = [];
  for (const item of items) {
    const create = async (): Promise<BatchResult> => {
      if ('refusal' in item) throw item.refusal;
      const row = await createContent(scope, item.request);
      onCreated(row);
      return { status: 201, data: presentItem(scope.app, scope.site, row) };
    };
    results.push(await settle(create, refused));
  }
  return results;
}
