import { z } from 'zod';
import { timestampText } from '../../../core/schema.ts';
import { formatTimestamp, timestampOrNull } from '../../../core/timestamp.ts';
import type { JobRow } from './sql.ts';

const missingReference = z.object({
  page: z.string(),
  slot: z.string().describe('body, featured_media_id, template, component {handle} or body of {path}'),
  kind: z.enum(['component', 'media']),
  reference: z.string(),
  message: z.string(),
});

const jobResult = z.object({
  release: z.string(),
  pages: z.int(),
  changed: z.int(),
  bytes: z.int(),
  url: z.string(),
  warnings: z
    .array(missingReference)
    .optional()
    .describe('What pages refer to though the site does not have it; left out when there is nothing'),
});

export const jobRecord = z.object({
  uuid: z.uuid(),
  site: z.string(),
  kind: z.enum(['publish', 'rebuild', 'scheduled', 'webhook']),
  status: z.enum(['queued', 'running', 'succeeded', 'failed']),
  progress: z.object({ stage: z.string(), done: z.int(), total: z.int() }),
  created_at: timestampText,
  started_at: timestampText.nullable(),
  finished_at: timestampText.nullable(),
  error: z.object({ message: z.string() }).nullable(),
  result: jobResult.nullable(),
});

export function presentJob(row: JobRow) {
  return {
    uuid: row.id,
    site: row.site_slug,
    kind: row.kind,
    status: row.status,
    progress: { stage: row.stage, done: row.done, total: row.total },
    created_at: formatTimestamp(row.created_at),
    started_at: timestampOrNull(row.started_at),
    finished_at: timestampOrNull(row.finished_at),
    error: row.error === null ? null : { message: row.error },
    result: row.result,
  };
}
