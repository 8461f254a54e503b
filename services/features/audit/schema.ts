import { z } from 'zod';
import { channels } from '../../core/principal.ts';
import { sample } from '../../core/sample.ts';
import { pageQuery, text, timestamp, timestampText } from '../../core/schema.ts';

const filters = {
  actor: text(64, 1).optional().describe('The id of a user, a key, an integration or an agent'),
  operation: text(100, 1).optional(),
  since: timestamp.optional().describe('At this time or later'),
  until: timestamp.optional().describe('Before this time'),
};

export const siteAuditQuery = pageQuery.extend(filters);
export type AuditQuery = z.output<typeof siteAuditQuery>;
export const auditQuery = siteAuditQuery.extend({
  site: text(120, 1).optional().describe('The slug of a site, which may have been deleted'),
});

const named = (name: string) => z.object({ id: z.string(), [name]: z.string().nullable() }).nullable();

export const auditRecord = z
  .object({
    id: z.uuid(),
    created_at: timestampText,
    operation: z.string().describe('The operationId of a route, or the words of a command'),
    via: z.enum(channels),
    user: named('email').describe('Whose key, session or agent it was; null when no user was involved'),
    key: named('name'),
    integration: named('slug'),
    agent: named('name'),
    site: z.object({ id: z.uuid(), slug: z.string() }).nullable(),
    target: z.object({ kind: z.string(), id: z.string().nullable(), name: z.string().nullable() }).nullable(),
    request_id: z.string().nullable().describe('The `X-Request-Id` of the response'),
  })
  .meta({
    id: 'AuditEntry',
    example: {
      id: sample.id,
      created_at: sample.at,
      operation: 'updateContent',
      via: 'key',
      user: { id: sample.other, email: 'editor@example.com' },
      key: { id: 'a1b2c3d4', name: 'newsroom' },
      integration: null,
      agent: null,
      site: { id: sample.id, slug: 'demo' },
      target: { kind: 'content', id: sample.other, name: 'hello' },
      request_id: sample.other,
    },
  });
