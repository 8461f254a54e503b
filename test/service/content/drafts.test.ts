import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { loadConfig } from '../../../services/core/config.ts';
import { noUser } from '../../../services/core/roles.ts';
import { createCipher } from '../../../services/core/secrets.ts';
import { openKeyedStore } from '../../../services/engines/objects/open.ts';
import type { App } from '../../../services/features/app.ts';
import { createBackup } from '../../../services/features/backups/create.ts';
import { type RestoreDeps, restoreBackup } from '../../../services/features/backups/restore.ts';
import { verifyBackup } from '../../../services/features/backups/verify.ts';
import { cleanAtOnce } from '../../../services/features/content/body/open-cleaner.ts';
import {
  applyDraft,
  findConflicts,
  putDraft,
  requireDraft,
} from '../../../services/features/content/drafts/service.ts';
import { prepareItem } from '../../../services/features/content/prepare-item.ts';
import { loadBody } from '../../../services/features/content/present.ts';
import { createContentBody, updateContentBody } from '../../../services/features/content/schema.ts';
import { createContent, updateContent } from '../../../services/features/content/write.ts';
import { selectSiteById } from '../../../services/features/sites/index.ts';
import { insertBareSite } from '../../harness/bare-site.ts';
import { createEdgeRecorder } from '../../harness/edges.ts';
import { provideOwnDatabase } from '../../harness/own-database.ts';

const own = provideOwnDatabase();
let deps: RestoreDeps;
beforeAll(async () => {
  const bucket = openKeyedStore({ engine: 'files', folder: path.join(own.folder, 'backups'), minFreeBytes: 0 });
  await bucket.ensure();
  const config = { ...loadConfig({}), edgeUrl: 'http://edge.test' };
  deps = {
    db: own.db,
    objects: own.objects,
    bucket,
    config,
    cipher: createCipher([randomBytes(32)]),
    edges: createEdgeRecorder(),
  };
}, 120_000);

// rule: beyond.9
test('travels in backups, with its body, and is in conflict only where the item has changed since', async () => {
  const siteId = await insertBareSite(own.db, own.objects);
  const site = (await selectSiteById(own.db, siteId))!;
  const app = { objects: own.objects, config: deps.config, bodies: cleanAtOnce, db: own.db } as unknown as App;
  const scope = { app, db: own.db, site, changedBy: 'key:none', writer: noUser };
  const prepare = (members: object) => prepareItem({ ...scope, key: 'key' }, updateContentBody.parse(members));
  const create = async (title: string) =>
    createContent(
      scope,
      await prepareItem({ ...scope, key: 'key' }, createContentBody.parse({ title, body_html: '<p>First</p>' })),
    );
  const body_html = `<p>${'long '.repeat(60_000)}</p>`;
  const [unchanged, changed] = [await create('Unchanged'), await create('Changed')];
  for (const { id } of [unchanged, changed])
    await putDraft(scope, id, await prepare({ body_html, scheduled_at: '2999-01-01T00:00:00Z' }));
  await updateContent(scope, changed.id, await prepare({ excerpt: 'Meanwhile' }));

  const backup = await createBackup(deps, siteId);
  await verifyBackup(deps, backup);
  for (const { id } of [unchanged, changed]) await applyDraft(scope, id, false, undefined);
  await restoreBackup(deps, backup);

  const kept = await requireDraft(scope, unchanged.id);
  expect([kept.draft.members, await findConflicts(scope, kept)]).toEqual([
    { scheduled_at: '2999-01-01T00:00:00Z' },
    [],
  ]);
  const applied = await applyDraft(scope, unchanged.id, false, undefined);
  expect((await loadBody(own.objects, applied)) === body_html).toBe(true);
  // the backup does not have the revision on which the other draft was begun
  const behind = await requireDraft(scope, changed.id);
  expect(await findConflicts(scope, behind)).toEqual(['scheduled_at', 'body_html']);
});
