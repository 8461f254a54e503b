import { z } from 'zod';
import type { Config } from '../../../core/config.ts';
import type { Site } from '../../../core/http.ts';
import { itemUrl } from '../../../core/public-paths.ts';
import { timestamp } from '../../../core/schema.ts';
import {
  type ContentPlace,
  type ContentScope,
  type CreateContent,
  createContent,
  type Prepared,
  statuses,
  type Upserted,
  updateKnownContent,
  upsertContentByRef,
} from '../../content/index.ts';
import { type MapperOutcome, nonEmptyText, type TrialApplyScope } from './mapper.ts';

const line = (max: number) => z.string().max(max);

/** Members that every content mapper requires; `body_html` may be empty, not absent (contract: Mappers). */
export const requiredContent = z.object({ title: nonEmptyText, body_html: z.string() });

/** Members that every content mapper knows. `null` clears a text, and says nothing where a value is needed. */
export const contentPayload = z.object({
  title: line(2000),
  body_html: z.string(),
  slug: line(2000).nullish(),
  excerpt: line(20_000).nullish(),
  author: line(1000).nullish(),
  status: z.enum(statuses).nullish(),
  scheduled_at: timestamp.nullish(),
});
type ContentPayload = z.output<typeof contentPayload>;

/** What a payload asks of the content feature; the default status is `published` (spec: Mappers, rule 1). */
export function toContentRequest(payload: ContentPayload, type: 'post' | 'page'): CreateContent {
  const { title, body_html, slug, excerpt, author, status, scheduled_at } = payload;
  return {
    type,
    title,
    body_html,
    status: status ?? 'published',
    // an empty or blank slug is none: the item keeps its own
    ...(slug?.trim() ? { slug } : {}),
    ...(excerpt === undefined ? {} : { excerpt }),
    ...(author === undefined ? {} : { author }),
    ...(scheduled_at ? { scheduled_at } : {}),
  };
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

/** What a delivery's result says of its item: what it is and where it is shown. */
export function describeItem(row: ContentPlace, site: Site, config: Pick<Config, 'edgeUrl'>) {
  const { id, revision, type, slug, status, trashed_at } = row;
  return {
    item: { kind: 'content' as const, id, revision, type, slug, status, trashed: trashed_at !== null },
    url: itemUrl(row, site, config),
  };
}

/**
 * Creates or updates the item: by the source's key, or, without one, the item that this delivery itself made before (a
 * replay). One in the trash is updated and stays there (contract: Mappers).
 */
export async function applyContent(
  scope: TrialApplyScope,
  key: string | null,
  request: Prepared<CreateContent>,
): Promise<MapperOutcome> {
  const { app, db, site, integrationId } = scope;
  const content: ContentScope = { app, db, site, changedBy: `integration:${integrationId}` };
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
