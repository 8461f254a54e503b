import { z } from 'zod';
import { text, timestampText } from '../../core/schema.ts';

/** The members of a backup that the dashboard shows; the command line prints more. */
const backupRecord = z.looseObject({ id: z.string(), created_at: timestampText, blobs: z.int(), bytes: z.int() });

export const backupsRecord = z.object({
  /** Null if the list takes longer than a request. */
  backups: z.array(backupRecord).nullable(),
  schedule: z.object({
    /** 0: only on request. */
    every_hours: z.int(),
    keep: z.int(),
    store: z.enum(['s3', 'files']),
    /** Only for administrators. */
    place: z.string().nullable(),
  }),
});

/** The result of an operation as the command line prints it, or `{running: true}` if it takes longer than a request. */
export const resultRecord = z.looseObject({ running: z.literal(true).optional() });

/** `as`: the slug of a new site; without it the site is replaced. */
export const restoreBody = z.strictObject({ as: text(120, 1).optional() });
