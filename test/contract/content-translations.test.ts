import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack, makeSite, stackDatabase, type TestSite } from '../harness/api.ts';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
  for (const locale of ['de', 'fr']) await site.request('POST', '/languages', { locale });
});
afterAll(closeStack);

const create = (body: object) => site.request('POST', '/content', { title: 'T', ...body });
const makeOriginal = async (): Promise<string> => (await create({ title: 'Original' })).data.id;

describe('an item has one translation per language:', () => {
  test('a second one is 409, another language is not', async () => {
    const original = await makeOriginal();
    const first = await create({ locale: 'de', translation_of: original });
    expect(first.status).toBe(201);
    const second = await create({ locale: 'de', translation_of: original });
    expect([second.status, second.error.code]).toEqual([409, 'translation_taken']);
    expect(second.error.message).toContain(first.data.id);
    expect((await create({ locale: 'fr', translation_of: original })).status).toBe(201);
    expect((await create({ locale: 'de', translation_of: await makeOriginal() })).status).toBe(201);
    const byRef = await site.request('PUT', `/content/by-ref/r-${original}`, {
      title: 'T',
      locale: 'de',
      translation_of: original,
    });
    expect([byRef.status, byRef.error?.code]).toEqual([409, 'translation_taken']);
  });

  test('an update that would make a second one is 409; the one that is there can be changed', async () => {
    const original = await makeOriginal();
    const german = (await create({ locale: 'de', translation_of: original })).data;
    const french = (await create({ locale: 'fr', translation_of: original })).data;
    const loose = (await create({ locale: 'de' })).data;
    const patch = (id: string, body: object) => site.request('PATCH', `/content/${id}`, body);
    expect((await patch(french.id, { locale: 'de' })).error.code).toBe('translation_taken');
    expect((await patch(loose.id, { translation_of: original })).error.code).toBe('translation_taken');
    expect((await patch(german.id, { title: 'Neu', locale: 'de', translation_of: original })).status).toBe(200);
  });

  test('one in the trash does not count, and does not come back beside another', async () => {
    const original = await makeOriginal();
    const first = (await create({ locale: 'de', translation_of: original })).data;
    await site.request('DELETE', `/content/${first.id}`);
    const second = await create({ locale: 'de', translation_of: original });
    expect(second.status).toBe(201);
    const restored = await site.request('POST', `/content/${first.id}/restore`);
    expect([restored.status, restored.error.code]).toEqual([409, 'translation_taken']);
    await site.request('DELETE', `/content/${second.data.id}`);
    expect((await site.request('POST', `/content/${first.id}/restore`)).status).toBe(200);
  });

  // rule: threat.44
  test('of ten at once one is made', async () => {
    const original = await makeOriginal();
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => create({ locale: 'de', translation_of: original })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
  });

  test('several from before the rule stay, and can be edited and sent back', async () => {
    const original = await makeOriginal();
    const first = (await create({ locale: 'de', translation_of: original })).data;
    const second = (await create({ locale: 'de' })).data;
    await stackDatabase().query('UPDATE content SET translation_of = $2 WHERE id = $1', [second.id, original]);
    for (const { id } of [first, second]) {
      const { data } = await site.request('GET', `/content/${id}`);
      expect(data.translation_of).toBe(original);
      expect((await site.request('PATCH', `/content/${id}`, { ...data, title: 'Edited' })).status).toBe(200);
    }
  });
});
