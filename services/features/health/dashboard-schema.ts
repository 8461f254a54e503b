import { z } from 'zod';
import { timestampText } from '../../core/schema.ts';
import { queues } from './backlog.ts';

/** Null if it works; otherwise the fault, as a sentence. */
const engine = z.object({ name: z.string(), problem: z.string().nullable() });

export const healthRecord = z.object({
  /** The database responds if there is a reply at all. */
  objects: engine,
  /** The runtime of the actors: with `embedded` the worker itself. */
  actors: engine,
  /** Edges that swaps are pushed to. */
  edges: z.int(),
  backlog: z.array(z.object({ queue: z.enum(queues), waiting: z.int(), oldest_seconds: z.number() })),
  /** Jobs that are retried because an engine failed or refused their builds, by cause. */
  retried: z.array(z.object({ error: z.string(), jobs: z.int(), refused: z.int() })),
  backups: z.object({
    /** 0: only on request. */
    every_hours: z.int(),
    keep: z.int(),
    place: z.string(),
    /** Whether the folder of backups may be on the disk of the data. */
    is_folder: z.boolean(),
    /** Null if the store of backups could not be read, and why. */
    newest: z
      .object({
        sites: z.int(),
        without: z.int(),
        /** Those with the oldest newest backup, the worst first. */
        oldest: z.array(z.object({ site: z.string(), newest_at: timestampText.nullable() })),
      })
      .nullable(),
    problem: z.string().nullable(),
  }),
});
