import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack, makeKey, makeSite, request, type TestSite } from '../harness/api.ts';
import { countLibrary, jpeg, picture, upload } from '../harness/media.ts';
import { startRole, type TestRole } from '../harness/role.ts';

let site: TestSite;
let photo: Buffer;
beforeAll(async () => {
  site = await makeSite();
  photo = await jpeg(64, 48);
});
afterAll(closeStack);

describe('an upload', () => {
  // rule: media.1, endpoint.13
  test('answers 201 with the record of the contract', async () => {
    const { status, data } = await upload(site, photo, { filename: 'harbour.jpg' });
    expect(status).toBe(201);
    expect(data).toMatchObject({
      kind: 'image',
      filename: 'harbour.jpg',
      mime_type: 'image/jpeg',
      bytes: photo.length,
      width: 64,
      height: 48,
      duration: null,
      alt: 'A circle',
      decorative: false,
      source_url: null,
      sha256: createHash('sha256').update(photo).digest('hex'),
      trashed_at: null,
    });
    expect(['processing', 'ready']).toContain(data.status);
    expect(Object.keys(data).sort()).toEqual(
      [
        'id',
        'kind',
        'filename',
        'mime_type',
        'bytes',
        'width',
        'height',
        'duration',
        'alt',
        'decorative',
        'status',
        'url',
        'variants',
        'source_url',
        'sha256',
        'created_at',
        'trashed_at',
      ].sort(),
    );
  });

  test('can be fetched at its url at once, byte for byte', async () => {
    const { data } = await upload(site, photo);
    const response = await fetch(data.url);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/jpeg');
    expect(Buffer.from(await response.arrayBuffer()).equals(photo)).toBe(true);
  });

  test('of the same bytes makes a second record with the same hash', async () => {
    const first = await upload(site, photo);
    const second = await upload(site, photo);
    expect(second.status).toBe(201);
    expect(second.data.id).not.toBe(first.data.id);
    expect(second.data.sha256).toBe(first.data.sha256);
  });

  test('takes alt and decorative after the file too', async () => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(photo)]), 'a.jpg');
    form.append('alt', 'Späte Straße 🌿');
    form.append('decorative', '0');
    const { status, data } = await request('POST', `/sites/${site.slug}/media`, { key: site.key, raw: form });
    expect(status).toBe(201);
    expect(data.alt).toBe('Späte Straße 🌿');
  });

  test('needs media:write and a site of the key', async () => {
    const reader = await makeKey(['media:read'], ['*']);
    expect((await upload(site, photo, { key: reader })).status).toBe(403);
    const elsewhere = await makeKey(['media:write'], ['another-site']);
    expect((await upload(site, photo, { key: elsewhere })).status).toBe(403);
    const writer = await makeKey(['media:write'], [site.slug]);
    expect((await upload(site, photo, { key: writer })).status).toBe(201);
    expect((await site.request('GET', '/media', undefined, { key: writer })).status).toBe(403);
  });
});

describe('alt text', () => {
  // rule: media.3, error.1
  test.each([
    ['missing', {}],
    ['empty', { alt: '' }],
    ['blank', { alt: '   ' }],
    ['missing with decorative false', { decorative: 'false' }],
    ['missing with decorative 0', { decorative: '0' }],
  ])('%s is 422 for an image, and nothing is left in the library', async (_what, fields) => {
    const fresh = await makeSite();
    const { status, error } = await upload(fresh, photo, { fields: fields as Record<string, string> });
    expect(status).toBe(422);
    expect(error.code).toBe('validation_failed');
    expect(error.details[0].path).toBe('alt');
    expect(await countLibrary(fresh)).toBe(0);
  });

  // rule: media.4
  test.each(['true', '1'])('is not needed when decorative is %s', async (decorative) => {
    const { status, data } = await upload(site, photo, { fields: { decorative } });
    expect(status).toBe(201);
    expect(data.decorative).toBe(true);
    expect(data.alt).toBeNull();
  });

  test('is not needed for a file', async () => {
    const { status, data } = await upload(site, Buffer.from('a,b\n1,2\n'), { filename: 'table.csv', fields: {} });
    expect(status).toBe(201);
    expect(data).toMatchObject({ kind: 'file', mime_type: 'text/csv; charset=utf-8', status: 'ready' });
  });
});

describe('the kind', () => {
  test('of a picture called .txt is image', async () => {
    const { data } = await upload(site, await picture(8, 8).png().toBuffer(), { filename: 'notes.txt' });
    expect(data).toMatchObject({ kind: 'image', mime_type: 'image/png', filename: 'notes.txt' });
  });

  test('of text called .jpg is file, and needs no alt text', async () => {
    const { status, data } = await upload(site, Buffer.from('just words'), { filename: 'photo.jpg', fields: {} });
    expect(status).toBe(201);
    expect(data).toMatchObject({ kind: 'file', mime_type: 'text/plain; charset=utf-8' });
  });

  test('of SVG is image, whatever comes before its root', async () => {
    const svg =
      '<?xml version="1.0"?><!-- c --><!DOCTYPE svg><svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"/>';
    expect((await upload(site, Buffer.from(svg), { filename: 'x.bin', fields: {} })).status).toBe(422);
    const { data } = await upload(site, Buffer.from(svg), { filename: 'x.bin' });
    expect(data).toMatchObject({ kind: 'image', mime_type: 'image/svg+xml', status: 'ready', width: 20, height: 10 });
  });

  // rule: media.5
  test('of PDF, ZIP and unknown bytes is file', async () => {
    for (const bytes of [
      Buffer.from('%PDF-1.7\n%âãÏÓ'),
      Buffer.from([0x50, 0x4b, 5, 6, ...Array(18).fill(0)]),
      Buffer.from([1, 0, 2, 0]),
    ]) {
      expect((await upload(site, bytes, { fields: {} })).data).toMatchObject({ kind: 'file', status: 'ready' });
    }
  });
});

describe('limits', () => {
  // rule: limit.5
  test('a file larger than its kind allows is 413', async () => {
    const fresh = await makeSite();
    const large = Buffer.concat([photo, Buffer.alloc(25 * 1024 * 1024)]);
    const { status, error } = await upload(fresh, large);
    expect(status).toBe(413);
    expect(error.code).toBe('too_large');
    expect(await countLibrary(fresh)).toBe(0);
  });

  describe('of each kind', () => {
    const video = Buffer.from('00000018667479706d703432000000006d70343269736f6d', 'hex');
    const kinds = [
      ['image', 4000, () => photo],
      ['video', 3000, () => video],
      ['file', 2000, () => Buffer.from('words')],
    ] as const;
    let gateway: TestRole;
    beforeAll(async () => {
      const settings = kinds.map(([kind, bytes]) => [
        `FIELDSTONE_MEDIA_${kind.toUpperCase()}_MAX_BYTES`,
        String(bytes),
      ]);
      gateway = await startRole('gateway', Object.fromEntries(settings));
    });
    afterAll(() => gateway.kill());

    // rule: limit.5, break.35
    test.each(kinds)('%s: %d bytes pass, one more is 413', async (kind, maxBytes, begin) => {
      const fresh = await makeSite();
      const send = async (bytes: number) => {
        const form = new FormData();
        form.append('alt', 'x');
        const content = Buffer.concat([begin(), Buffer.alloc(bytes - begin().length)]);
        form.append('file', new Blob([content]), 'given');
        const headers = { 'X-API-Key': fresh.key };
        const url = `${gateway.url}/api/v1/sites/${fresh.slug}/media`;
        const reply = await fetch(url, { method: 'POST', headers, body: form });
        return {
          status: reply.status,
          data: ((await reply.json()) as { data?: { kind: string; bytes: number } }).data,
        };
      };
      expect(await send(maxBytes + 1)).toEqual({ status: 413, data: undefined });
      expect(await countLibrary(fresh)).toBe(0);
      expect(await send(maxBytes)).toMatchObject({ status: 201, data: { kind, bytes: maxBytes } });
    });
  });

  // rule: threat.14
  test('a picture of more than 50 megapixels is 422, judged by its header', async () => {
    const fresh = await makeSite();
    const header = await picture(4, 4).png().toBuffer();
    header.writeUInt32BE(10_000, 16);
    header.writeUInt32BE(5_001, 20);
    const { status, error } = await upload(fresh, header);
    expect(status).toBe(422);
    expect(error.details[0].path).toBe('file');
    expect(await countLibrary(fresh)).toBe(0);
  });
});
