import { z } from 'zod';
import { sample } from '../../../core/sample.ts';
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
  rendered: z.int().optional().describe('Pages that the build made'),
  reused: z.int().optional().describe('Pages that it took from an earlier release'),
  reasons: z
    .record(z.string(), z.int())
    .optional()
    .describe('How many pages it made for each kind of reason (`kind` in `explainPage`); a page may have several'),
  warnings: z
    .array(missingReference)
    .optional()
    .describe('References of pages to things that the site does not have; absent if the site has all of them'),
});

export const jobRecord = z
  .object({
    uuid: z.uuid(),
    site: z.string(),
    kind: z.enum(['publish', 'rebuild', 'scheduled', 'webhook']),
    status: z.enum(['queued', 'running', 'succeeded', 'failed']),
    progress: z
      .object({ stage: z.string(), done: z.int(), total: z.int() })
      .describe(
        '`done` of `total` within the `stage`, both 0 in stages that count nothing. At the end all pages of the release; for a failed job, the progress so far',
      ),
    created_at: timestampText,
    started_at: timestampText.nullable(),
    finished_at: timestampText.nullable().describe('Null until the job has succeeded or failed'),
    error: z.object({ message: z.string() }).nullable().describe('Why it failed, with template and line if known'),
    result: jobResult.nullable(),
  })
  .meta({
    id: 'Job',
    example: {
      uuid: sample.other,
      site: 'demo',
      kind: 'publish',
      status: 'succeeded',
      progress: { stage: 'done', done: 214, total: 214 },
      created_at: sample.at,
      started_at: sample.at,
      finished_at: sample.at,
      error: null,
      result: {
        release: sample.id,
        pages: 214,
        changed: 3,
        bytes: 1812044,
        url: `${sample.url}/`,
        rendered: 4,
        reused: 210,
        reasons: { item: 1, posts: 3 },
      },
    },
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
