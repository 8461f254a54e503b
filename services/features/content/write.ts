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

/** Records tell whole seconds: the time of one that is sent back is the time that is stored, which is finer. */
const isSameSecond = (one: Date | null, other: Date | null) =>
  one !== null && other !== null && formatTimestamp(one) === formatTimestamp(other);

const sourceRefTaken = (ref: string | null) =>
  problem(
    'conflict',
    `There is already an item with the source_ref ${ref}; update it, or use PUT …/content/by-ref/{source_ref}.`,
  );

/** Creates an item. Throws `validation_failed`, `conflict` for a `source_ref` that is taken. */
export async function createContent(
  asked: ContentScope,
  request: Prepared<CreateContent>,
  sourceScope = '',
): Promise<ContentRow> {
  const given = initialContent(request);
  const scope = await onCurrentSite(asked, given);
  const { db, site } = scope;
  const base = request.slug ? normaliseSlug(request.slug) : deriveSlug(request.title);
  const body = request.body ?? emptyBody;
  const item: WrittenContent = {
    ...given,
    slug: base,
    locale: request.locale ?? site.default_locale,
    ...(await pinBody(scope.app, db, body)),
    published_at: publishedAt(given.status, given.published_at),
    source_scope: sourceScope,
  };
  requireUnpublished(scope.writer, item.status);
  await checkItem(scope, item, request);
  Object.assign(item, await settleFields(scope, item, request.checked));
  if (item.source_ref !== null && (await selectContentByRef(db, site.id, sourceScope, item.source_ref)))
    throw sourceRefTaken(item.source_ref);
  const id = randomUUID();
  if (item.type === 'page' && isReservedSlug(base, site)) item.slug = await freeSlug(scope, item, base, null);
  for (let race = 0; race < maxRaces; race++) {
    const row = await insertUnlessRefTaken(scope, id, item, body.text);
    if (row) {
      await recordMediaUses(scope, row, body.mediaIds);
      return indexFields(scope, row);
    }
    item.slug = await freeSlug(scope, item, base, null);
  }
  throw serializationRetry();
}

/** Writes what filters of the list find of an item, in the transaction that wrote its fields. */
async function indexFields({ db, site }: ContentScope, row: ContentRow, before: object = {}): Promise<ContentRow> {
  if (!sameJson(row.fields, before)) await replaceFieldValues(db, site.id, row.id, filterValuesOf(row.fields));
  return row;
}

async function insertUnlessRefTaken(
  { db, site, changedBy, writer }: ContentScope,
  id: string,
  item: WrittenContent,
  bodyText: string,
): Promise<ContentRow | undefined> {
  try {
    return await insertContent(db, id, site.id, item, bodyText, { changedBy, createdBy: writer.userId });
  } catch (error) {
    // another request took the reference at this moment: run again, and find it
    if (isUniqueViolation(error, 'content_source_ref_key')) throw serializationRetry(error);
    throw error;
  }
}

/** Whether an update may change an item's address. */
function mayMove(request: Pick<UpdateContent, 'slug' | 'type' | 'locale'>): boolean {
  return request.slug !== undefined || request.type !== undefined || request.locale !== undefined;
}

/**
 * What `row` becomes with what the request names, under the slug that is asked for: whether that one is free is left to see. The scope is
 * the one in which to see that. Throws `validation_failed`, `translation_taken`, and `unavailable` as `settleFields`.
 */
export async function planUpdate(
  asked: ContentScope,
  row: ContentRow,
  request: Prepared<UpdateContent>,
): Promise<{ next: WrittenContent; scope: ContentScope }> {
  const { slug, body, checked, ...members } = request;
  const scope = mayMove(request) ? await onCurrentSite(asked, { type: request.type ?? row.type }) : asked;
  const next: WrittenContent = { ...row, ...members, ...body?.columns };
  if (body) next.warnings = [...body.columns.warnings, ...keptWarnings(row.warnings, 'fields')];
  for (const name of ['scheduled_at', 'published_at'] as const) {
    if (isSameSecond(next[name], row[name])) next[name] = row[name];
  }
  next.published_at = publishedAt(next.status, next.published_at);
  // a reference that has lost its aim since it was stored is no fault of this request (contract: a record read can be sent back)
  const kept = (['type', 'locale', 'featured_media_id', 'translation_of'] as const).filter(
    (name) => next[name] === row[name],
  );
  await checkItem(scope, next, { ...request, ...Object.fromEntries(kept.map((name) => [name, undefined])) }, row.id);
  Object.assign(next, await settleFields(scope, next, checked, row));
  next.slug = slug ? normaliseSlug(slug) : slug === null ? deriveSlug(next.title) : row.slug;
  return { next, scope };
}

/** `row` with what the request names; unchanged when it names nothing new. Throws `validation_failed`. */
async function applyUpdate(
  asked: ContentScope,
  row: ContentRow,
  request: Prepared<UpdateContent>,
): Promise<ContentRow> {
  requireOwnItem(asked.writer, row);
  requireUnpublished(asked.writer, request.status ?? row.status);
  const { body } = request;
  if (body) await pinBody(asked.app, asked.db, body);
  const { next, scope } = await planUpdate(asked, row, request);
  const moved = next.slug !== row.slug || next.locale !== row.locale || next.type !== row.type;
  if (moved && !row.trashed_at) next.slug = await freeSlug(scope, next, next.slug, row.id);
  if (!isChanged(row, next)) return row;
  try {
    const updated = await updateContentRow(scope.db, row, next, scope.changedBy, body?.text);
    if (updated) {
      await recordMediaUses(scope, updated, body?.mediaIds, row);
      return await indexFields(scope, updated, row.fields);
    }
  } catch (error) {
    if (isUniqueViolation(error, 'content_source_ref_key')) throw sourceRefTaken(next.source_ref);
    if (!isUniqueViolation(error, 'content_slug_key')) throw error;
  }
  // somebody else was faster, with this row or this slug: read again
  throw serializationRetry();
}

/** Changes an item outside the trash. Throws `not_found`, `validation_failed`. */
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
 * Creates or updates the item with this reference. A repeat keeps the slug unless the request names one; an item in the trash
 * is updated and stays there (contract: Mappers).
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
    // somebody else created it meanwhile: run again, and find it
    if (error instanceof Problem && error.code === 'conflict') throw serializationRetry(error);
    throw error;
  }
}

/** Changes an item wherever it lies, the trash too, where it stays. Nothing when it has been purged. */
export async function updateKnownContent(
  scope: ContentScope,
  id: string,
  request: Prepared<UpdateContent>,
): Promise<ContentRow | undefined> {
  const row = await selectContent(scope.db, scope.site.id, id);
  return row && applyUpdate(scope, row, request);
}
