import { z } from 'zod';
import { exampleRecord } from '../../../core/content-model.ts';
import { sample } from '../../../core/sample.ts';
import { timestampText } from '../../../core/schema.ts';
import { contentRecord } from '../schema.ts';
import { changedByRecord } from './changed-by.ts';

const example = {
  rev: '3',
  created_at: sample.at,
  by: { type: 'key', id: 'a1b2c3d4', name: 'newsroom', user: 'ada@example.com' },
};

export const revisionRecord = z
  .object({ rev: z.string(), created_at: timestampText, by: changedByRecord })
  .meta({ id: 'Revision', example });

const comparison = z.object({
  rev: z.string(),
  changes: z
    .record(z.string(), z.object({ from: z.unknown(), to: z.unknown() }))
    .describe('By member: its value in the revision `rev`, and in this one'),
});

export const wholeRevisionRecord = revisionRecord
  .extend({
    item: contentRecord.describe('The record as it was'),
    compared: comparison.optional().describe('Only with `compare`'),
  })
  .meta({
    id: 'WholeRevision',
    example: {
      ...example,
      item: exampleRecord,
      compared: { rev: '2', changes: { title: { from: 'A cairn', to: exampleRecord['title'] } } },
    },
  });

/** Revision numbers have at most 15 digits. */
export const revPattern = /^[1-9]\d{0,14}$/;

export const compareQuery = z.object({
  compare: z
    .string()
    .regex(revPattern, 'must be the `rev` of a revision')
    .optional()
    .describe('The `rev` of another revision of the item: the reply then says what differs'),
});
