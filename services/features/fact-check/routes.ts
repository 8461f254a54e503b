import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type FactCheckInput, factCheckTimeoutMs, factCheckType } from '../../../workflows/contracts/fact-check.ts';
import { requireId } from '../../core/ids.ts';
import { ok } from '../../core/reply.ts';
import { sample } from '../../core/sample.ts';
import { timestampText } from '../../core/schema.ts';
import { requireContent } from '../content/index.ts';
import { type AppRoute, route } from '../route.ts';
import type { FactCheckReport } from './types.ts';

const evidence = z.object({
  type: z.string(),
  url: z.string().optional(),
  excerpt: z.string().optional(),
  message: z.string(),
});

const factCheckRecord = z
  .object({
    content_id: z.uuid(),
    checked_at: timestampText,
    claims: z.array(
      z.object({
        text: z.string(),
        kind: z.enum(['number', 'date', 'superlative', 'quotation', 'attribution']),
        verdict: z.enum(['supported', 'unsupported', 'contradicted', 'unverifiable']),
        evidence: z.array(evidence),
      }),
    ),
    links: z.array(z.object({ url: z.string(), ok: z.boolean(), status: z.int().nullable() })),
    summary: z.record(z.string(), z.unknown()),
  })
  .meta({
    id: 'FactCheck',
    example: {
      content_id: sample.id,
      checked_at: sample.at,
      claims: [{ text: 'The path is 12 km long.', kind: 'number', verdict: 'unverifiable', evidence: [] }],
      links: [{ url: 'https://example.org/map', ok: true, status: 200 }],
      summary: { claims: 1, supported: 0 },
    },
  });

export const factCheckRoutes: AppRoute[] = [
  route({
    method: 'POST',
    path: '/sites/:site/content/:id/fact-check',
    operationId: 'checkFacts',
    scope: 'content:read',
    tag: 'Content',
    summary: 'Check the claims of an item against its links, itself and the calendar; nothing is stored',
    body: { kind: 'empty' },
    reply: { status: 200, schema: factCheckRecord },
    transaction: { none: 'Nothing is stored: a worker reads, and the reply is its report.' },
    async prepare({ app, db, site, params }) {
      const { id: contentId } = await requireContent({ db, site }, requireId(params.id, 'content item'));
      const input: FactCheckInput = { siteId: site.id, contentId };
      const options = { id: `fact-check:${randomUUID()}`, input, timeoutMs: factCheckTimeoutMs };
      return JSON.parse(await app.actors.run<string>(factCheckType, options)) as FactCheckReport;
    },
    handler: async ({ prepared }) => ok(prepared),
  }),
];
