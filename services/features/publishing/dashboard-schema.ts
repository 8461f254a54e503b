import { z } from 'zod';
import { timestampText, uuidText } from '../../core/schema.ts';
import { jobRecord } from './jobs/present.ts';

const changeKind = z.enum(['added', 'updated', 'removed']);

const changedItem = z.object({
  id: uuidText,
  change: changeKind,
  title: z.string().nullable(),
  type: z.string().nullable(),
  locale: z.string().nullable(),
  updated_at: timestampText.nullable(),
});

export const changesRecord = z.object({
  live_release: z.string().nullable(),
  items: z.object({ added: z.int(), updated: z.int(), removed: z.int(), listed: z.array(changedItem) }),
  shell: z.array(z.string()),
  components: z.array(z.string()),
  redirects: z.array(z.string()),
  scripts: z.array(z.string()),
  site: z.boolean(),
});

/** The newest jobs of a site, and what is live. */
export const activityRecord = z.object({ live_release: z.string().nullable(), jobs: z.array(jobRecord) });

const paths = z.object({ number: z.int(), listed: z.array(z.string()) });
export const releaseDifferenceRecord = z.object({ added: paths, changed: paths, removed: paths });
