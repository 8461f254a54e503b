import { beforeAll, expect, test } from '@jest/globals';
import { loadConfig } from '../../../services/core/config.ts';
import { noUser } from '../../../services/core/roles.ts';
import { cleanAtOnce } from '../../../services/features/content/body/open-cleaner.ts';
import { selectContentPage } from '../../../services/features/content/list-sql.ts';
import { prepareItem } from '../../../services/features/content/prepare-item.ts';
import { contentListQuery, createContentBody } from '../../../services/features/content/schema.ts';
import { createContent } from '../../../services/features/content/write.ts';
import { selectSiteById } from '../../../services/features/sites/index.ts';
import { insertBareSite } from '../../harness/bare-site.ts';
import { provideOwnDatabase } from '../../harness/own-database.ts';

const own = provideOwnDatabase();
let siteId: string;

async function create(members: object): Promise<void> {
  const app = { objects: own.objects, bodies: cleanAtOnce, config: loadConfig({}) } as never;
  const site = (await selectSiteById(own.db, siteId))!;
  const request = await prepareItem({ app, db: own.db, site, key: 'key' }, createContentBody.parse(members));
  await own.db.transaction((db) => createContent({ app, db, site, changedBy: 'test', writer: noUser }, request));
}

async function find(q: string): Promise<string[]> {
  const page = await selectContentPage(own.db, siteId, contentListQuery.parse({ q }), false);
  return page.rows.map(({ title }) => title);
}

beforeAll(async () => {
  siteId = await insertBareSite(own.db, own.objects);
  await create({ title: 'A Cairn', body_html: '<p>100% of <b>Stones</b>_and</p>' });
  await create({ title: 'Path', body_html: '<p>none</p>', excerpt: 'ÜBER stones' });
  await create({ title: 'Long', body_html: `<p>${'a'.repeat(400_000)}</p>` });
}, 120_000);

test('finds text in title, excerpt and body whatever its case, and takes every character as it is', async () => {
  expect(await find('cAIRN')).toEqual(['A Cairn']);
  expect((await find('STONES')).sort()).toEqual(['A Cairn', 'Path']);
  expect(await find('über')).toEqual(['Path']);
  expect(await find('100%')).toEqual(['A Cairn']);
  expect(await find('stones_')).toEqual(['A Cairn']);
  expect(await find('s%s')).toEqual([]);
  expect(await find('\\')).toEqual([]);
});

// rule: threat.26
test('a long text is looked for as fast as a short one, although it nearly fits everywhere', async () => {
  async function measure(q: string): Promise<number> {
    const times: number[] = [];
    for (let n = 0; n < 5; n++) {
      const begun = performance.now();
      expect(await find(q)).toEqual([]);
      times.push(performance.now() - begun);
    }
    return Math.min(...times);
  }
  const short = await measure(`${'a'.repeat(5)}b`);
  // each character of the body was compared with all of it: 80 times as long
  expect(await measure(`${'a'.repeat(499)}b`)).toBeLessThan(20 * short);
});
