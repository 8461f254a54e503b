import { randomUUID } from 'node:crypto';
import { Problem, problem } from '../../core/errors.ts';
import { isReservedSlug } from '../../core/public-paths.ts';
import { deriveSlug, normaliseSlug } from '../../core/slug.ts';
import { formatTimestamp } from '../../core/timestamp.ts';
import { isUniqueViolation, serializationRetry } from '../../engines/sql/errors.ts';
import { emptyBody, type Prepared, pinBody } from './body/prepare-body.ts';
import { checkItem } from './check-item.ts';
import { freeSlug } from './free-slug.ts';
import { recordMediaUses } from './media-uses/record.ts';
import { requireOwnItem, requireUnpublished } from './own-item.ts';
import { type ContentRow, initialContent, isChanged, type WrittenContent } from './row.ts';
import { sameJson } from './same-json.ts';
import type { CreateContent, UpdateContent } from './schema.ts';
import { type ContentScope, onCurrentSite } from './scope.ts';
import { insertContent, selectContent, selectContentByRef, updateContentRow } from './sql.ts';
import { requireContent } from './trash.ts';
import { filterValuesOf } from './types/field-values.ts';
import { keptWarnings } from './types/field-warnings.ts';
import { settleFields } from './types/prepare-fields.ts';
import { replaceFieldValues } from './types/sql.ts';

const maxRaces = 100;

function publishedAt(status: string, given: Date | null): Date | null {
  return status === 'published' && !given ? new Date() : given;
}

/**
 * Records show whole seconds, stored times are finer: a time that a client sends back unchanged means the stored one.
 */
const isSameSecond = (one: Date | null, other: Date | null) =>
  one !== null && other !== null && formatTimestamp(one) === formatTimestamp(other);

const sourceRefInUse = (ref: string | null) =>
  problem(
    'conflict',
    `There is already an item with the source_ref ${ref}; update it, or use PUT …/content/by-ref/{source_ref}.`,
  );

/** Creates an item. Throws `validation_failed`, and `conflict` if the `source_ref` is in use. */
export async function createContent(
  requestScope: ContentScope,
  request: Prepared<CreateContent>,
  sourceScope = '',
): Promise<ContentRow> {
  const initial = initialContent(request);
  const scope = await onCurrentSite(requestScope, initial);
  const { db, site } = scope;
  const base = request.slug ? normaliseSlug(request.slug) : deriveSlug(request.title);
  const body = request.body ?? emptyBody;
  const item: WrittenContent = {
    ...initial,
    slug: base,
    locale: request.locale ?? site.default_locale,
    ...(await pinBody(scope.app, db, body)),
    published_at: publishedAt(initial.status, initial.published_at),
    source_scope: sourceScope,
  };
  requireUnpublished(scope.writer, item.status);
  await checkItem(scope, item, request);
  Object.assign(item, await settleFields(scope, item, request.checked));
  if (item.source_ref !== null && (await selectContentByRef(db, site.id, sourceScope, item.source_ref)))
    throw sourceRefInUse(item.source_ref);
  const id = randomUUID();
  if (item.type === 'page' && isReservedSlug(base, site)) item.slug = await freeSlug(scope, item, base, null);
  for (let race = 0; race < maxRaces; race++) {
    const row = await insertIfRefIsFree(scope, id, item, body.text);
    if (row) {
      await recordMediaUses(scope, row, { bodyIds: body.mediaIds });
      return indexFields(scope, row);
    }
    item.slug = await freeSlug(scope, item, base, null);
  }
  throw serializationRetry();
}

/** Writes the values that list filters search, in the transaction that wrote the fields. */
async function indexFields({ db, site }: ContentScope, row: ContentRow, before: object = {}): Promise<ContentRow> {
  if (!sameJson(row.fields, before)) await replaceFieldValues(db, site.id, row.id, filterValuesOf(row.fields));
  return row;
}

async function insertIfRefIsFree(
  { db, site, changedBy, writer }: ContentScope,
  id: string,
  item: WrittenContent,
  bodyText: string,
): Promise<ContentRow | undefined> {
  try {
    return await insertContent(db, id, site.id, item, bodyText, { changedBy, createdBy: writer.userId });
  } catch (error) {
    // a concurrent request inserted the reference: retry, and find it
    if (isUniqueViolation(error, 'content_source_ref_key')) throw serializationRetry(error);
    throw error;
  }
}

/** Returns whether an update may change an item's path. */
function mayChangePath(request: Pick<UpdateContent, 'slug' | 'type' | 'locale'>): boolean {
  return request.slug !== undefined || request.type !== undefined || request.locale !== undefined;
}

/**
 * Returns the item that `row` becomes with the members of the request, under the requested slug, which may be in use;
 * check that with the returned scope. Throws `validation_failed`, `translation_taken`, and `unavailable` as
 * `settleFields`.
 */
export async function planUpdate(
  requestScope: ContentScope,
  row: ContentRow,
  request: Prepared<UpdateContent>,
): Promise<{ next: WrittenContent; scope: ContentScope }> {
  const { slug, body, checked, ...members } = request;
  const scope = mayChangePath(request)
    ? await onCurrentSite(requestScope, { type: request.type ?? row.type })
    : requestScope;
  const next: WrittenContent = { ...row, ...members, ...body?.columns };
  if (body) next.warnings = [...body.columns.warnings, ...keptWarnings(row.warnings, 'fields')];
  for (const name of ['scheduled_at', 'published_at'] as const) {
    if (isSameSecond(next[name], row[name])) next[name] = row[name];
  }
  next.published_at = publishedAt(next.status, next.published_at);
  // An unchanged reference whose target was deleted since is not an error of this request (contract: a record read can
  // be sent back).
  const unchanged = (['type', 'locale', 'featured_media_id', 'translation_of'] as const).filter(
    (name) => next[name] === row[name],
  );
  await checkItem(
    scope,
    next,
    { ...request, ...Object.fromEntries(unchanged.map((name) => [name, undefined])) },
    row.id,
  );
  Object.assign(next, await settleFields(scope, next, checked, row));
  next.slug = slug ? normaliseSlug(slug) : slug === null ? deriveSlug(next.title) : row.slug;
  return { next, scope };
}

/** Writes the members of the request to `row`; returns `row` itself if nothing changes. Throws `validation_failed`. */
async function applyUpdate(
  requestScope: ContentScope,
  row: ContentRow,
  request: Prepared<UpdateContent>,
): Promise<ContentRow> {
  requireOwnItem(requestScope.writer, row);
  requireUnpublished(requestScope.writer, request.status ?? row.status);
  const { body } = request;
  if (body) await pinBody(requestScope.app, requestScope.db, body);
  const { next, scope } = await planUpdate(requestScope, row, request);
  const moved = next.slug !== row.slug || next.locale !== row.locale || next.type !== row.type;
  if (moved && !row.trashed_at) next.slug = await freeSlug(scope, next, next.slug, row.id);
  if (!isChanged(row, next)) return row;
  try {
    const updated = await updateContentRow(scope.db, row, next, scope.changedBy, body?.text);
    if (updated) {
      const { featured_media_id, fields } = request;
      await recordMediaUses(scope, updated, { bodyIds: body?.mediaIds, featured_media_id, fields }, row);
      return await indexFields(scope, updated, row.fields);
    }
  } catch (error) {
    if (isUniqueViolation(error, 'content_source_ref_key')) throw sourceRefInUse(next.source_ref);
    if (!isUniqueViolation(error, 'content_slug_key')) throw error;
  }
  // the row or the slug was changed concurrently: read again
  throw serializationRetry();
}

/** Updates an item outside the trash. Throws `not_found`, `validation_failed`. */
export async function updateContent(
  scope: ContentScope,
  id: string,
  request: Prepared<UpdateContent>,
): Promise<ContentRow> {
  return applyUpdate(scope, await requireContent(scope, id), request);
}

export interface Upserted {
  row: ContentRow;
  isNew: boolean;
}

/**
 * Creates or updates the item with this reference. An update keeps the slug unless the request names one; an item in
 * the trash is updated and stays there (contract: Mappers).
 */
export async function upsertContentByRef(
  scope: ContentScope,
  sourceScope: string,
  ref: string,
  request: Prepared<CreateContent>,
): Promise<Upserted> {
  const row = await selectContentByRef(scope.db, scope.site.id, sourceScope, ref);
  if (row) return { row: await applyUpdate(scope, row, request), isNew: false };
  try {
    return { row: await createContent(scope, { ...request, source_ref: ref }, sourceScope), isNew: true };
  } catch (error) {
    // a concurrent request created it: retry, and find it
    if (error instanceof Problem && error.code === 'conflict') throw serializationRetry(error);
    throw error;
  }
}

/** Updates an item, which may be in the trash and then stays there. Returns undefined if it was purged. */
export async function updateKnownContent(
  scope: ContentScope,
  id: string,
  request: Prepared<UpdateContent>,
): Promise<ContentRow | undefined> {
  const row = await selectContent(scope.db, scope.site.id, id);
  return row && applyUpdate(scope, row, request);
}
