import { expect, test } from '@jest/globals';
import type { Db } from '../../../services/core/db.ts';
import type { App } from '../../../services/features/app.ts';
import { publishingRoutes } from '../../../services/features/publishing/routes.ts';
import type { Input } from '../../../services/features/route.ts';

const release = '33333333-3333-4333-8333-333333333333';
const siteRow = { slug: 's', domain: null, default_locale: 'en', live_release: '44444444-4444-4444-8444-444444444444' };
const documents: Record<string, unknown> = {
  manifest: { format: 1, site: 's', release, default_locale: 'en', packs: [], types: [], policies: [], files: [] },
  inputs: { site: { slug: 's', domain: null } },
};
const writes = (statements: string[]) => statements.filter((sql) => !/^\s*SELECT/.test(sql));

/** Creates a database with one release that records its statements. */
function recordingDb(): Db & { statements: string[] } {
  const statements: string[] = [];
  return {
    statements,
    query: (async (sql: string) => {
      statements.push(sql);
      if (sql.includes('event_endpoints')) return [];
      if (sql.includes('FROM sites')) return [siteRow];
      return [{ id: release, manifest_hash: 'manifest', inputs_hash: 'inputs', created_at: new Date() }];
    }) as Db['query'],
  };
}

// rule: threat.44
test('a rollback changes nothing before its handler, and then in the transaction in which its reply is stored', async () => {
  const route = publishingRoutes.find(({ path }) => path.endsWith('/rollback'))!;
  const [pool, tx] = [recordingDb(), recordingDb()];
  const objects = { getBytes: async (hash: string) => Buffer.from(JSON.stringify(documents[hash] ?? {})) };
  const db = { ...pool, transaction: (work: (own: Db) => unknown) => work(pool) };
  const app = { db, objects, config: { edgeUrl: 'http://edge.test' } } as unknown as App;
  const afterCommit = () => undefined;
  const input = { app, db: pool, site: { id: 'site' }, params: { release }, afterCommit } as unknown as Input;

  const prepared = await route.prepare!(input);
  expect(writes(pool.statements)).toEqual([]);

  const reply = await route.handler({ ...input, db: tx, prepared });
  expect(reply.status).toBe(200);
  expect(JSON.parse(String(reply.bytes)).data).toMatchObject({ id: release, live: true });
  expect(writes(pool.statements)).toEqual([]);
  expect(writes(tx.statements)[0]).toContain('UPDATE sites SET live_release');
});
