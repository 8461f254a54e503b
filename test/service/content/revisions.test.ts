import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { loadConfig } from '../../../services/core/config.ts';
import { statuses } from '../../../services/core/content-fields.ts';
import { noUser } from '../../../services/core/roles.ts';
import { formatTimestamp } from '../../../services/core/timestamp.ts';
import type { App } from '../../../services/features/app.ts';
import { cleanAtOnce } from '../../../services/features/content/body/open-cleaner.ts';
import { prepareItem } from '../../../services/features/content/prepare-item.ts';
import { loadBody, presentItem } from '../../../services/features/content/present.ts';
import { prepareRestore, readRevision } from '../../../services/features/content/revisions/service.ts';
import type { ContentRow } from '../../../services/features/content/row.ts';
import { createContentBody, updateContentBody } from '../../../services/features/content/schema.ts';
import { createContent, updateContent } from '../../../services/features/content/write.ts';
import { selectSiteById } from '../../../services/features/sites/index.ts';
import { insertBareSite } from '../../harness/bare-site.ts';
import { provideOwnDatabase } from '../../harness/own-database.ts';

const own = provideOwnDatabase();

async function openScope() {
  const site = (await selectSiteById(own.db, await insertBareSite(own.db, own.objects)))!;
  const config = { ...loadConfig({}), edgeUrl: 'http://edge.test' };
  const app = { objects: own.objects, config, bodies: cleanAtOnce, db: own.db } as unknown as App;
  return { app, db: own.db, site, changedBy: 'key:none', writer: noUser };
}

const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }).filter((text) => !text.includes('\0'));
const nullable = (value: fc.Arbitrary<unknown>) => fc.option(value, { nil: null });
const time = fc
  .date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map(formatTimestamp);
const version = fc.record({
  title: words.filter((text) => text.trim() !== ''),
  type: fc.constantFrom('post', 'page', 'recipe'),
  body_html: fc.oneof(
    fc.lorem().map((text) => `<p>${text}</p>`),
    fc.lorem().map((text) => `<p style="color:red">${text}</p><script>1</script>`),
    fc.constant(`<p>${'long '.repeat(60_000)}</p>`),
  ),
  status: fc.constantFrom(...statuses),
  scheduled_at: time,
  published_at: nullable(time),
  excerpt: nullable(words),
  seo_title: nullable(words),
  tags: fc.array(words, { maxLength: 3 }),
});

// rule: beyond.5
test('shows the record that the item had, whatever its members are, and brings it back', async () => {
  const scope = await openScope();
  const { app } = scope;
  const show = async (row: ContentRow) => ({
    ...presentItem(app, scope.site, row),
    body_html: await loadBody(own.objects, row),
  });
  for (const versions of fc.sample(fc.array(version, { minLength: 3, maxLength: 5 }), 20)) {
    const [first, ...later] = versions;
    let row = await createContent(scope, await prepareItem({ ...scope, key: 'key' }, createContentBody.parse(first)));
    const { id } = row;
    const records = new Map([[row.revision, await show(row)]]);
    for (const members of later) {
      row = await updateContent(
        scope,
        id,
        await prepareItem({ ...scope, key: 'key' }, updateContentBody.parse(members)),
      );
      records.set(row.revision, await show(row));
    }
    for (const [revision, record] of records) {
      const { item } = await readRevision(app, scope, { id, rev: String(revision) }, undefined);
      const body_html = typeof item.body_html === 'string' ? item.body_html : record.body_html;
      expect({ ...item, body_html }).toEqual(record);
      const request = await prepareRestore({ ...scope, key: 'key' }, { id, rev: String(revision) });
      const restored = await updateContent(scope, id, request);
      expect({ ...(await show(restored)), updated_at: record.updated_at }).toEqual(record);
    }
  }
}, 120_000);
