import type { Db } from '../../core/db.ts';
import type { App } from '../app.ts';
import { type Prepared, prepareContents } from './body/prepare-body.ts';
import type { ContentRow } from './row.ts';
import { createSchemaFinder, type FieldsRequest, prepareFields } from './types/prepare-fields.ts';

type Request = FieldsRequest & Parameters<typeof prepareContents>[2][number];

export interface PrepareScope {
  app: Pick<App, 'objects' | 'bodies' | 'fieldChecks'>;
  db: Db;
  site: { id: string };
  /** The id of the caller's key; the queue for large requests is fair between keys. */
  key: string;
}

/**
 * Prepares the bodies and fields of requests. Call it before the transaction. Throws the errors of `BodyCleaner` and
 * `FieldChecker`.
 */
export async function prepareItems<R extends Request>(
  { app, db, site, key }: PrepareScope,
  requests: readonly R[],
  known?: Pick<ContentRow, 'type' | 'fields'>,
): Promise<Prepared<R>[]> {
  const prepared = await prepareContents(app, key, requests);
  const scope = { app, key, findSchema: createSchemaFinder(db, site.id) };
  for (const [index, request] of requests.entries()) {
    const checked = await prepareFields(scope, request, known);
    if (checked) prepared[index]!.checked = checked;
  }
  return prepared;
}

/** Prepares one request; `known` is the item that it updates. */
export async function prepareItem<R extends Request>(
  scope: PrepareScope,
  request: R,
  known?: Pick<ContentRow, 'type' | 'fields'>,
): Promise<Prepared<R>> {
  return (await prepareItems(scope, [request], known))[0]!;
}
