import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { closeStack, eventually, makeSite, publish, stack, stackDatabase, type TestSite } from '../harness/api.ts';
import { jpeg, picture, upload, waitForFormat, waitUntilProcessed } from '../harness/media.ts';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(closeStack);

const sha256 = (data: Buffer) => createHash('sha256').update(data).digest('hex');
const page = async (path: string) => (await fetch(`${stack.edges[0]}/sites/${site.slug}${path}`)).text();

async function replace(id: string, file: Buffer, { filename = 'other.png', ...fields }: Record<string, string> = {}) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([new Uint8Array(file)]), filename);
  return site.request('POST', `/media/${id}/replace`, undefined, { raw: form });
}

test('an item keeps its id, description and focal point, and gets the bytes and variants of the new file', async () => {
  const before = (await upload(site, await jpeg(400, 300), { fields: { alt: 'A cairn' } })).data;
  await site.request('PATCH', `/media/${before.id}`, { focal_point: { x: 0.25, y: 0.75 } });
  await waitForFormat(site, before.id, 'avif');
  const file = await picture(700, 500).png().toBuffer();
  const reply = await replace(before.id, file);
  expect(reply.status).toBe(200);
  expect(reply.data).toMatchObject({
    id: before.id,
    created_at: before.created_at,
    filename: 'other.png',
    mime_type: 'image/png',
    bytes: file.length,
    sha256: sha256(file),
    alt: 'A cairn',
    focal_point: { x: 0.25, y: 0.75 },
    variants: [],
    status: 'processing',
    previous: { filename: 'photo.jpg', mime_type: 'image/jpeg', bytes: before.bytes, sha256: before.sha256 },
  });
  const ready = await waitForFormat(site, before.id, 'avif');
  expect([ready.width, ready.height, Math.max(...ready.variants.map(({ width }: { width: number }) => width))]).toEqual(
    [700, 500, 700],
  );
  expect(Buffer.from(await (await fetch(ready.url)).arrayBuffer())).toEqual(file);
});

test('live pages show the former file until the next publish, and the new one from then on', async () => {
  const own = site;
  const { id } = (await upload(own, await jpeg(400, 300))).data;
  await waitForFormat(own, id, 'avif');
  await own.request('POST', '/content', {
    type: 'page',
    title: 'Shown',
    slug: 'shown',
    body_html: `<img src="media:${id}">`,
    status: 'published',
  });
  const first = (await publish(own)).result.release;
  const html = await page('/shown/');
  await replace(id, await picture(640, 200).png().toBuffer());
  await waitForFormat(own, id, 'avif');
  expect(await page('/shown/')).toBe(html);
  await publish(own);
  await eventually('the page shows the new file', async () => (await page('/shown/')).includes('height="200"'));
  await own.request('POST', `/releases/${first}/rollback`);
  await eventually('the earlier release shows the former file', async () => (await page('/shown/')) === html);
  const image = /(?:src|srcset)="([^" ]+)/.exec(html)![1]!;
  expect((await fetch(new URL(image, `${stack.edges[0]}/sites/${site.slug}/shown/`))).status).toBe(200);
});

test('undoing it brings back file, variants and description; undoing that, the replacement', async () => {
  const before = (await upload(site, await jpeg(64, 48), { fields: { alt: 'First' } })).data;
  await waitForFormat(site, before.id, 'avif');
  const { data: first } = await site.request('GET', `/media/${before.id}`);
  await replace(before.id, await picture(80, 60).png().toBuffer(), { alt: 'Second' });
  const second = await waitForFormat(site, before.id, 'avif');
  expect(second.alt).toBe('Second');
  const undone = await site.request('POST', `/media/${before.id}/undo-replacement`);
  expect(undone.status).toBe(200);
  expect(undone.data).toMatchObject({ ...first, previous: { sha256: second.sha256 } });
  expect((await fetch(first.url)).status).toBe(200);
  const again = await site.request('POST', `/media/${before.id}/undo-replacement`);
  expect(again.data).toMatchObject({ sha256: second.sha256, alt: 'Second', variants: second.variants });
});

test('variants that were being made for the former file are not given to the new one', async () => {
  const { id } = (await upload(site, await picture(2400, 1600).png().toBuffer())).data;
  const { data } = await replace(id, await jpeg(64, 48));
  const ready = await waitForFormat(site, id, 'avif');
  expect([ready.sha256, ready.width, new Set(ready.variants.map(({ width }: { width: number }) => width))]).toEqual([
    data.sha256,
    64,
    new Set([64]),
  ]);
  await site.request('POST', `/media/${id}/undo-replacement`);
  expect(await waitForFormat(site, id, 'avif')).toMatchObject({ width: 2400, height: 1600 });
});

test('the same bytes change nothing but the description', async () => {
  const file = await jpeg(70, 50);
  const { id } = (await upload(site, file)).data;
  await waitUntilProcessed(site, id);
  const { data } = await replace(id, file, { filename: 'again.jpg', alt: 'Other words' });
  expect(data).toMatchObject({ filename: 'photo.jpg', alt: 'Other words' });
  expect(data).not.toHaveProperty('previous');
});

test('the same bytes are processed again if the item had failed, and undoing still brings the file before', async () => {
  const former = (await upload(site, await jpeg(64, 48))).data;
  const file = await jpeg(72, 54);
  await replace(former.id, file);
  const ready = await waitForFormat(site, former.id, 'avif');
  await stackDatabase().query(`UPDATE media SET status = 'failed', variants = '[]', error = 'no' WHERE id = $1`, [
    former.id,
  ]);
  const { data } = await replace(former.id, file);
  expect(data).toMatchObject({ sha256: ready.sha256, status: 'processing', previous: { sha256: former.sha256 } });
  expect((await waitForFormat(site, former.id, 'avif')).variants).toEqual(ready.variants);
});

test('a file of another kind, an image without alt text, no file and a refused URL change nothing', async () => {
  const { id } = (await upload(site, await jpeg())).data;
  const ready = await waitForFormat(site, id, 'avif');
  const refused = [
    await replace(id, Buffer.from('words'), { filename: 'a.txt' }),
    await replace(id, await jpeg(30, 30), { alt: ' ' }),
    await site.request('POST', `/media/${id}/replace`, {}),
  ];
  expect(refused.map(({ status, error }) => [status, error.details[0].path])).toEqual([
    [422, 'file'],
    [422, 'alt'],
    [422, 'file'],
  ]);
  const inside = await site.request('POST', `/media/${id}/replace`, { url: 'http://127.0.0.1:1/x.png' });
  expect([inside.status, inside.error.code]).toEqual([422, 'fetch_refused']);
  expect((await site.request('GET', `/media/${id}`)).data).toEqual(ready);
});

test('an item without a replacement has nothing to undo; an unknown item or one in the trash is 404', async () => {
  const { id } = (await upload(site, Buffer.from('words'), { fields: {} })).data;
  const undo = await site.request('POST', `/media/${id}/undo-replacement`);
  expect([undo.status, undo.error.code]).toEqual([409, 'conflict']);
  expect((await replace(id, Buffer.from('others'), { filename: 'b.txt' })).data.status).toBe('ready');
  await site.request('DELETE', `/media/${id}`);
  for (const one of [id, randomUUID()]) {
    expect((await replace(one, Buffer.from('third'))).status).toBe(404);
    expect((await site.request('POST', `/media/${one}/undo-replacement`)).status).toBe(404);
  }
});
