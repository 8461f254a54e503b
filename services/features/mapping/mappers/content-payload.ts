import { z } from 'zod';
import type { Config } from '../../../core/config.ts';
import { isClearedByNull, payloadNames, type WritableName, writeShape } from '../../../core/content-model.ts';
import type { Site } from '../../../core/http.ts';
import { itemUrl } from '../../../core/public-paths.ts';
import { noUser } from '../../../core/roles.ts';
import {
  type ContentPlace,
  type ContentScope,
  type CreateContent,
  createContent,
  type Prepared,
  type Upserted,
  updateKnownContent,
  upsertContentByRef,
} from '../../content/index.ts';
import { type MapperOutcome, nonEmptyText, type TrialApplyScope } from './mapper.ts';

/** Members that every content mapper requires; `body_html` may be empty, not absent (contract: Mappers). */
export const requiredContent = z.object({ title: nonEmptyText, body_html: z.string() });

type Optional<N extends WritableName> = { [M in N]: z.ZodOptional<z.ZodNullable<(typeof writeShape)[M]>> };

/** Returns the schemas of optional payload members, with the rules of content. */
function optionalMembers<N extends WritableName>(names: readonly N[]): Optional<N> {
  return Object.fromEntries(names.map((name) => [name, writeShape[name].nullish()])) as Optional<N>;
}

/** Members that every content mapper supports. */
export const contentPayload = z.object({
  title: writeShape.title,
  body_html: writeShape.body_html,
  ...optionalMembers(payloadNames.content),
});
/** Additional members of articles. */
export const articleMembers = optionalMembers(payloadNames.article);

/** Members that posts and pages have beside them. */
export const itemMembers = optionalMembers(payloadNames.item);

type ContentPayload = z.output<typeof contentPayload>;
const optionalNames = [...payloadNames.content, ...payloadNames.article, ...payloadNames.item];

/**
 * Converts a payload to a request of the content feature; the default status is `published` (spec: Mappers, rule 1). A
 * null clears a text that may be null, and is ignored where a value is required.
 */
export function toContentRequest(payload: ContentPayload, type: 'post' | 'page'): CreateContent {
  const { title, body_html, slug, status } = payload;
  const members: Partial<Record<WritableName, unknown>> = payload;
  const named = optionalNames.filter((name) => members[name] !== undefined);
  const given = named.filter((name) => members[name] !== null || isClearedByNull(name));
  const request: CreateContent = {
    ...Object.fromEntries(given.map((name) => [name, members[name]])),
    type,
    title,
    body_html,
    status: status ?? 'published',
  };
  // an empty or blank slug is ignored: the item keeps its own
  if (!slug?.trim()) delete request.slug;
  return request;
}

async function write(
  scope: TrialApplyScope,
  content: ContentScope,
  key: string | null,
  request: Prepared<CreateContent>,
): Promise<Upserted> {
  if (key !== null) return upsertContentByRef(content, scope.integrationId, key, request);
  const known = scope.earlierItemId ? await updateKnownContent(content, scope.earlierItemId, request) : null;
  return known ? { row: known, isNew: false } : { row: await createContent(content, request), isNew: true };
}

/** Describes an item in a delivery's result: its identity and its URL. */
export function describeItem(row: ContentPlace, site: Site, config: Pick<Config, 'edgeUrl'>) {
  const { id, revision, type, slug, status, trashed_at } = row;
  return {
    item: { kind: 'content' as const, id, revision, type, slug, status, trashed: trashed_at !== null },
    url: itemUrl(row, site, config),
  };
}

/**
 * Creates or updates the item by the source's key; without a key, updates the item that this delivery created before (a
 * replay). An item in the trash is updated and stays there (contract: Mappers).
 */
export async function applyContent(
  scope: TrialApplyScope,
  key: string | null,
  request: Prepared<CreateContent>,
): Promise<MapperOutcome> {
  const { app, db, site, integrationId } = scope;
  const content: ContentScope = { app, db, site, changedBy: `integration:${integrationId}`, writer: noUser };
  const { row, isNew } = await write(scope, content, key, request);
  return {
    itemId: row.id,
    result: {
      ...describeItem(row, site, app.config),
      action: isNew ? 'created' : 'updated',
      warnings: row.warnings,
      ...(row.trashed_at ? { note: 'The item is in the trash: it was updated and stays there.' } : {}),
    },
  };
}
