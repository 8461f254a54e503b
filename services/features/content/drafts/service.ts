import { toJsonValue, type WritableName } from '../../../core/content-model.ts';
import { notFound, problem } from '../../../core/errors.ts';
import { formatTimestamp } from '../../../core/timestamp.ts';
import { check } from '../../../core/validate.ts';
import { largeText } from '../../../engines/objects/large-text.ts';
import { requireOwn } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { type Prepared, pinBody } from '../body/prepare-body.ts';
import { freeSlug } from '../free-slug.ts';
import { itemName } from '../item-input.ts';
import { findMediaIds } from '../media-uses/find-ids.ts';
import { requireUnpublished } from '../own-item.ts';
import { type PrepareScope, prepareItem } from '../prepare-item.ts';
import { readChangedBy } from '../revisions/changed-by.ts';
import { rowAt } from '../revisions/service.ts';
import { selectRevision } from '../revisions/sql.ts';
import type { ContentRow } from '../row.ts';
import { type UpdateContent, updateContentBody } from '../schema.ts';
import type { ContentScope } from '../scope.ts';
import { selectFields } from '../sql.ts';
import { requireContent } from '../trash.ts';
import { keptWarnings } from '../types/field-warnings.ts';
import { type CheckedFields, keepWarnings } from '../types/prepare-fields.ts';
import { planUpdate, updateContent } from '../write.ts';
import { type DraftRow, deleteDraft, selectDraft, upsertDraft } from './sql.ts';

type Scope = Pick<ContentScope, 'db' | 'site'>;

/** An item outside the trash and its pending draft. */
export interface ItemWithDraft {
  item: ContentRow;
  draft: DraftRow;
}

/**
 * Returns an item and its pending draft. Throws `not_found` if the item does not exist, is in the trash or has no
 * pending draft.
 */
export async function requireDraft(scope: Scope, id: string): Promise<ItemWithDraft> {
  const item = await requireContent(scope, id);
  const draft = await selectDraft(scope.db, id);
  if (!draft) throw notFound('pending draft of this item');
  return { item, draft };
}

/** Returns a member of an item or a draft as comparable text; for a large body its hash. */
function textOf(row: Pick<DraftRow, 'body_html' | 'body_hash'>, members: object, name: WritableName): string {
  if (name === 'body_html') return row.body_hash ?? `<${row.body_html}`;
  return JSON.stringify(toJsonValue((members as Record<string, unknown>)[name]) ?? null);
}

/**
 * Returns the draft's members whose value in the item has changed since the draft was begun and differs from the draft.
 * Returns all members of the draft if the base revision no longer exists, as after a restore from a backup.
 */
export async function findConflicts({ db }: Pick<Scope, 'db'>, { item, draft }: ItemWithDraft): Promise<string[]> {
  if (draft.base_revision === item.revision) return [];
  const names = [...Object.keys(draft.members), ...(draft.body_html === null ? [] : ['body_html'])] as WritableName[];
  const revision = await selectRevision(db, item.id, draft.base_revision);
  const base = revision && rowAt(item, revision);
  return names.filter((name) => {
    const now = textOf(item, item, name);
    return now !== textOf(draft, draft.members, name) && (!base || now !== textOf(base, base, name));
  });
}

/**
 * Returns the record of a draft: the members that it changes, its base revision and conflicts. A large body is read
 * while the reply is sent.
 */
export async function presentDraft({ objects }: Pick<App, 'objects'>, { db }: Pick<Scope, 'db'>, both: ItemWithDraft) {
  const { draft } = both;
  const byOf = await readChangedBy(db, [draft.changed_by]);
  const body = draft.body_hash ? largeText(objects, draft.body_hash) : draft.body_html;
  return {
    id: draft.content_id,
    base_rev: String(draft.base_revision),
    conflicts: await findConflicts({ db }, both),
    ...draft.members,
    ...(body === null ? {} : { body_html: body }),
    warnings: draft.warnings,
    by: byOf(draft.changed_by),
    created_at: formatTimestamp(draft.created_at),
    updated_at: formatTimestamp(draft.updated_at),
  };
}

/**
 * Writes the pending draft of an item; the item does not change. Checks the members by the rules of an update. An
 * author may write drafts of own items in any status, but not drafts that set a published status. Throws `not_found`,
 * `validation_failed`, `translation_taken`, `role_insufficient`, `unavailable`.
 */
export async function putDraft(
  scope: ContentScope,
  id: string,
  request: Prepared<UpdateContent>,
): Promise<ItemWithDraft & { isNew: boolean }> {
  const { db, writer, changedBy } = scope;
  const item = await requireContent(scope, id);
  requireOwn(writer, itemName, item.created_by);
  if (request.status !== undefined) requireUnpublished(writer, request.status);
  const { body, checked: _checked, ...members } = request;
  const columns = body && (await pinBody(scope.app, db, body));
  const { next } = await planUpdate(scope, item, request);
  const ofFields = members.fields ? { fields: next.fields, warnings: keptWarnings(next.warnings, 'fields') } : null;
  if (ofFields) members.fields = ofFields.fields;
  const before = await selectDraft(db, id);
  const draft = await upsertDraft(db, {
    content_id: id,
    site_id: item.site_id,
    base_revision: item.revision,
    members: Object.fromEntries(Object.entries(members).map(([name, value]) => [name, toJsonValue(value)])),
    body_html: columns?.body_html ?? null,
    body_hash: columns?.body_hash ?? null,
    body_text: body?.text ?? null,
    body_media: body?.mediaIds ?? [],
    warnings: [...(columns?.warnings ?? []), ...(ofFields?.warnings ?? [])],
    changed_by: changedBy,
  });
  return { item, draft, isNew: !before };
}

/** Returns the update request of a draft. `checked`: the result of `prepareDraft`. */
function requestOf(draft: DraftRow, checked: CheckedFields | undefined): Prepared<UpdateContent> {
  const { body_html, body_hash, body_text, body_media } = draft;
  const { body_html: _none, ...members } = check(updateContentBody, draft.members);
  const request = checked ? { ...members, checked: keepWarnings(checked, draft.warnings) } : members;
  if (body_html === null) return request;
  const warnings = keptWarnings(draft.warnings, 'body');
  // drafts written before `body_media` existed have an empty list; a body in the object store is not read for it
  const mediaIds = body_hash === null ? findMediaIds(body_html) : body_media;
  return {
    ...request,
    body: { columns: { body_html, body_hash, warnings }, text: body_text ?? '', mediaIds },
  };
}

/**
 * Checks the fields that an item would get from its pending draft again, because the item or the schema of its type may
 * have changed. Call it before the transaction that applies the draft. Returns undefined without a draft, and for one
 * that changes neither type nor fields. Throws the errors of `prepareItem`.
 */
export async function prepareDraft(scope: PrepareScope, id: string): Promise<CheckedFields | undefined> {
  const [draft, known] = [await selectDraft(scope.db, id), await selectFields(scope.db, scope.site.id, id)];
  if (!draft || !known) return undefined;
  const { type, fields } = check(updateContentBody, draft.members);
  return (await prepareItem(scope, { type, fields }, known)).checked;
}

/**
 * Applies the pending draft to the item as one update, and deletes the draft. `isSeen`: the client named the current
 * version of the item, so that changes since the draft was begun are not conflicts. `checked`: the result of
 * `prepareDraft`. Throws `not_found`, `draft_conflict`, and the errors of `updateContent`.
 */
export async function applyDraft(
  scope: ContentScope,
  id: string,
  isSeen: boolean,
  checked: CheckedFields | undefined,
): Promise<ContentRow> {
  const both = await requireDraft(scope, id);
  const conflicts = isSeen ? [] : await findConflicts(scope, both);
  if (conflicts.length > 0) {
    const message = `The item has changed since the draft was begun, in members that the draft changes too: ${conflicts.join(', ')}.`;
    const details = conflicts.map((path) => ({ path, message: 'has changed since the draft was begun' }));
    throw problem('draft_conflict', message, { details });
  }
  const row = await updateContent(scope, id, requestOf(both.draft, checked));
  await deleteDraft(scope.db, id);
  return row;
}

/**
 * Returns an item as it would be published, with its pending draft applied; with a draft, its revision number is one
 * that no row has. Call it in a transaction; `checked` is the result of `prepareDraft` before that. Throws `not_found`,
 * `validation_failed` and `translation_taken` if the draft cannot be applied, `unavailable` if the schema of the type
 * is being changed.
 */
export async function readAsPublished(
  scope: ContentScope,
  id: string,
  checked: CheckedFields | undefined,
): Promise<ContentRow> {
  const item = await requireContent(scope, id);
  const draft = await selectDraft(scope.db, id);
  const moved = draft && (await moveTo(scope, item, requestOf(draft, checked)));
  const next = moved ? { ...item, ...moved, revision: Date.now() } : item;
  return { ...next, status: 'published', published_at: next.published_at ?? new Date() };
}

async function moveTo(requestScope: ContentScope, item: ContentRow, request: Prepared<UpdateContent>) {
  const { next, scope } = await planUpdate(requestScope, item, request);
  return { ...next, slug: await freeSlug(scope, next, next.slug, item.id) };
}

/** Deletes the pending draft of an item. Throws `not_found`, `role_insufficient`. */
export async function dropDraft(scope: ContentScope, id: string): Promise<void> {
  const { item } = await requireDraft(scope, id);
  requireOwn(scope.writer, itemName, item.created_by);
  await deleteDraft(scope.db, id);
}
