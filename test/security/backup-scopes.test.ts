import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { UserRoles } from '../../services/core/roles.ts';
import { createCipher } from '../../services/core/secrets.ts';
import { openKeyedStore } from '../../services/engines/objects/open.ts';
import { openObjectStore } from '../../services/engines/objects/store.ts';
import { type BackupCaller, createBackupOperations } from '../../services/features/backups/operations.ts';
import { createKey } from '../../services/features/keys/service.ts';
import { closeStack, makeSite, publish, request, stackConfig, stackDatabase, type TestSite } from '../harness/api.ts';
import { createEdgeRecorder } from '../harness/edges.ts';

const config = stackConfig();
const db = stackDatabase();
const operations = createBackupOperations({
  db,
  config,
  cipher: createCipher(config.secretKeys),
  objects: openObjectStore(config.objects, db),
  bucket: openKeyedStore(config.backups),
  edges: createEdgeRecorder(),
});
const administrator: UserRoles = { administrator: true, onSites: new Map() };
const may = (scopes: string[], sites: string[], roles = administrator): BackupCaller => ({ scopes, sites, roles });
const code = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: { code: string }) => error.code,
  );

let site: TestSite;
let other: TestSite;
let id: string;
beforeAll(async () => {
  [site, other] = [await makeSite(), await makeSite()];
  await publish(site);
  id = (await operations.backUpSite(may(['backup:run'], [site.slug]), site.slug)).id;
});
afterAll(closeStack);

describe('operations on backups', () => {
  test('have scopes that keys can be given', async () => {
    const scopes = ['backup:read', 'backup:run', 'backup:restore'];
    expect((await createKey(db, { name: 'agent', scopes, sites: ['*'] })).scopes).toEqual(scopes);
  });

  // rule: threat.4
  test('need each its own scope, or admin, and no other will do', async () => {
    const only = (scope: string) => may([scope], ['*']);
    for (const scope of ['backup:run', 'backup:restore', 'sites:read', 'content:read']) {
      expect(await code(operations.list(only(scope)))).toBe('scope_missing');
      expect(await code(operations.verify(only(scope), id))).toBe('scope_missing');
    }
    for (const scope of ['backup:read', 'backup:restore', 'sites:write', 'publish']) {
      expect(await code(operations.backUpSite(only(scope), site.slug))).toBe('scope_missing');
      expect(await code(operations.backUpAll(only(scope)))).toBe('scope_missing');
    }
    for (const scope of ['backup:read', 'backup:run', 'sites:write', 'content:write']) {
      expect(await code(operations.restore(only(scope), id))).toBe('scope_missing');
    }
    expect(await code(operations.verify(only('admin'), id))).toBe('done');
    expect(await code(operations.restore(only('backup:restore'), id))).toBe('done');
  });

  // rule: threat.4
  test('reach no site outside the list: neither its backups, nor that they exist', async () => {
    const pinned = may(['admin'], [other.slug]);
    expect(await code(operations.list(pinned, site.slug))).toBe('site_not_allowed');
    expect(await operations.list(pinned)).toEqual([]);
    expect(await code(operations.backUpSite(pinned, site.slug))).toBe('site_not_allowed');
    expect(await code(operations.verify(pinned, id))).toBe('not_found');
    expect(await code(operations.restore(pinned, id))).toBe('not_found');
    expect(await code(operations.restore(pinned, id, { as: other.slug }))).toBe('not_found');
    const own = may(['admin'], [site.slug]);
    expect(await code(operations.restore(own, id, { as: `new-${randomUUID()}` }))).toBe('site_not_allowed');
    expect((await operations.list(own)).map((record) => record.kind)).toContain('site');
  });

  test('on everything need the list of every site', async () => {
    expect(await code(operations.backUpAll(may(['admin'], [site.slug, other.slug])))).toBe('site_not_allowed');
  });

  // rule: threat.4
  test('give the next holder of a slug nothing of the site before', async () => {
    const first = await makeSite();
    const pinned = may(['admin'], [first.slug]);
    const { id: backup } = await operations.backUpSite(pinned, first.slug);
    await request('DELETE', `/sites/${first.slug}`, { key: first.key });
    expect(await code(operations.verify(pinned, backup))).toBe('done');
    await request('POST', '/sites', { key: first.key, body: { name: 'Next', slug: first.slug } });
    expect(await code(operations.verify(pinned, backup))).toBe('not_found');
    expect(await operations.list(pinned)).toEqual([]);
  });
});
