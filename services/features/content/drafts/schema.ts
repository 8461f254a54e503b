import { z } from 'zod';
import { exampleRecord, recordShape, type WritableName, writableNames } from '../../../core/content-model.ts';
import { sample } from '../../../core/sample.ts';
import { timestampText } from '../../../core/schema.ts';
import { changedByRecord } from '../revisions/changed-by.ts';
import { readOnlyContentMembers, updateContentBody } from '../schema.ts';

type Members = { [N in WritableName]: z.ZodOptional<(typeof recordShape)[N]> };
const members = Object.fromEntries(writableNames.map((name) => [name, recordShape[name].optional()])) as Members;

/** Of the members of an item, the record contains only those that the draft changes. */
export const draftRecord = z
  .object({
    id: z.uuid().describe('That of the item'),
    base_rev: z.string().describe('The revision of the item when the draft was begun'),
    conflicts: z
      .array(z.string())
      .describe('The members of the draft that the item has changed since then, to something else'),
    ...members,
    warnings: recordShape.warnings.describe('What was removed from the body and the fields of the draft'),
    by: changedByRecord.describe('Who wrote the draft last'),
    created_at: timestampText,
    updated_at: timestampText,
  })
  .meta({
    id: 'Draft',
    example: {
      id: sample.id,
      base_rev: '3',
      conflicts: [],
      title: exampleRecord['title'],
      body_html: exampleRecord['body_html'],
      warnings: [],
      by: { type: 'key', id: 'a1b2c3d4', name: 'newsroom', user: 'ada@example.com' },
      created_at: sample.at,
      updated_at: sample.at,
    },
  });

export const draftBody = updateContentBody.meta({
  id: 'PutDraftBody',
  example: { title: exampleRecord['title'], body_html: exampleRecord['body_html'] },
});

export const readOnlyDraftMembers = [...readOnlyContentMembers, 'base_rev', 'conflicts', 'by'] as const;
