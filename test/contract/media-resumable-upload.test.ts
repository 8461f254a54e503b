import { createHash, randomBytes, randomUUID } from 'node:crypto';
import net from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack, eventually, makeKey, makeSite, stack, type TestSite } from '../harness/api.ts';
import { countLibrary, jpeg, waitUntilProcessed } from '../harness/media.ts';

let site: TestSite;
let photo: Buffer;
beforeAll(async () => {
  site = await makeSite();
  photo = await jpeg(300, 200);
});
afterAll(closeStack);

const encode = (members: Record<string, string>) =>
  Object.entries(members)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',');

function tus(
  method: string,
  url: string,
  headers: Record<string, string> = {},
  body?: Buffer,
  key: string | null = site.key,
) {
  const own: Record<string, string> = { 'Tus-Resumable': '1.0.0', ...(key ? { 'X-API-Key': key } : {}), ...headers };
  return fetch(url, { method, headers: own, body: body ? new Uint8Array(body) : null });
}

async function begin(length: number, metadata: Record<string, string> = {}, key?: string | null, gateway = 0) {
  return tus(
    'POST',
    `${stack.gateways[gateway]}/uploads`,
    {
      'Upload-Length': String(length),
      'Upload-Metadata': encode({ site: site.slug, filename: 'photo.jpg', alt: 'A circle', ...metadata }),
    },
    undefined,
    key === undefined ? site.key : key,
  );
}

const send = (url: string, offset: number, bytes: Buffer) =>
  tus('PATCH', url, { 'Upload-Offset': String(offset), 'Content-Type': 'application/offset+octet-stream' }, bytes);

/** The same upload, through the other gateway. */
const elsewhere = (url: string, gateway = 1) => stack.gateways[gateway] + new URL(url).pathname;

test('an upload in one piece becomes an item like any other', async () => {
  const begun = await begin(photo.length);
  expect(begun.status).toBe(201);
  const url = begun.headers.get('location')!;
  const sent = await send(url, 0, photo);
  expect(sent.status).toBe(204);
  expect(sent.headers.get('upload-offset')).toBe(String(photo.length));
  const id = sent.headers.get('x-media-id')!;
  expect(sent.headers.get('location')).toBe(`${stack.gateways[0]}/api/v1/sites/${site.slug}/media/${id}`);
  const item = await waitUntilProcessed(site, id);
  expect(item).toMatchObject({
    kind: 'image',
    alt: 'A circle',
    filename: 'photo.jpg',
    bytes: photo.length,
    status: 'ready',
  });
  expect(Buffer.from(await (await fetch(item.url)).arrayBuffer()).equals(photo)).toBe(true);
});

test('an upload in pieces goes on at any gateway, from where HEAD says', async () => {
  const file = Buffer.concat([Buffer.from('words '), randomBytes(9 * 1024 * 1024)]);
  const url = (await begin(file.length, { filename: 'data.bin' })).headers.get('location')!;
  const half = 5 * 1024 * 1024 + 123;
  expect((await send(url, 0, file.subarray(0, half))).status).toBe(204);
  const head = await tus('HEAD', elsewhere(url));
  expect(head.headers.get('upload-offset')).toBe(String(half));
  expect(head.headers.get('upload-length')).toBe(String(file.length));
  const rest = await send(elsewhere(url), half, file.subarray(half));
  expect(rest.status).toBe(204);
  const { data } = await site.request('GET', `/media/${rest.headers.get('x-media-id')}`);
  expect(data.sha256).toBe(createHash('sha256').update(file).digest('hex'));
});

test('what came before a connection broke is kept', async () => {
  const file = randomBytes(6 * 1024 * 1024);
  const url = (await begin(file.length, { filename: 'data.bin' })).headers.get('location')!;
  const { hostname, port, pathname } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(
    `PATCH ${pathname} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${site.key}\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\nContent-Type: application/offset+octet-stream\r\nContent-Length: ${file.length}\r\n\r\n`,
  );
  socket.write(file.subarray(0, 3_000_000));
  await new Promise((resolve) => setTimeout(resolve, 500));
  socket.destroy();
  const offset = await eventually('the upload has what came', async () => {
    const { headers } = await tus('HEAD', elsewhere(url));
    return Number(headers.get('upload-offset')) > 0 && Number(headers.get('upload-offset'));
  });
  expect(offset).toBeLessThanOrEqual(3_000_000);
  const rest = await send(elsewhere(url), offset, file.subarray(offset));
  const { data } = await site.request('GET', `/media/${rest.headers.get('x-media-id')}`);
  expect(data.sha256).toBe(createHash('sha256').update(file).digest('hex'));
});

test('bytes at another offset are 409 and change nothing', async () => {
  const url = (await begin(photo.length)).headers.get('location')!;
  expect((await send(url, 5, photo.subarray(5))).status).toBe(409);
  expect((await tus('HEAD', url)).headers.get('upload-offset')).toBe('0');
});

test('of two requests for the same bytes one wins, and one item comes of it', async () => {
  const own = await makeSite();
  const url = (await begin(photo.length, { site: own.slug })).headers.get('location')!;
  const replies = await Promise.all([send(url, 0, photo), send(elsewhere(url), 0, photo)]);
  expect(replies.filter(({ status }) => status === 204).length).toBe(1);
  expect(await countLibrary(own)).toBe(1);
});

test('an upload can be given up', async () => {
  const url = (await begin(photo.length)).headers.get('location')!;
  expect((await tus('DELETE', url)).status).toBe(204);
  expect((await tus('HEAD', url)).status).toBe(404);
});

test('the server says what it can without a key', async () => {
  const options = await tus('OPTIONS', `${stack.gateways[0]}/uploads`, {}, undefined, null);
  expect([200, 204]).toContain(options.status);
  expect(options.headers.get('tus-version')).toBe('1.0.0');
  expect(options.headers.get('tus-extension')).toContain('creation');
  expect(options.headers.get('tus-max-size')).toMatch(/^\d+$/);
});

describe('is refused:', () => {
  test('without a key, with a wrong one, without the scope, for another site, for none', async () => {
    expect((await begin(10, {}, null)).status).toBe(401);
    expect((await begin(10, {}, `fs_${'a'.repeat(8)}_${'b'.repeat(32)}`)).status).toBe(401);
    expect((await begin(10, {}, await makeKey(['media:read'], ['*']))).status).toBe(403);
    expect((await begin(10, {}, await makeKey(['media:write'], ['elsewhere']))).status).toBe(403);
    expect((await begin(10, { site: 'no-such-site' })).status).toBe(404);
    const url = (await begin(photo.length)).headers.get('location')!;
    const stranger = await makeKey(['media:write'], ['elsewhere']);
    for (const method of ['HEAD', 'DELETE', 'PATCH']) {
      expect((await tus(method, url, {}, undefined, null)).status).toBe(401);
      expect((await tus(method, url, {}, undefined, stranger)).status).toBe(403);
    }
  });

  test('an id that is none, or that nobody knows', async () => {
    for (const id of [randomUUID(), 'x', '%00', '..%2f..']) {
      expect((await tus('HEAD', `${stack.gateways[0]}/uploads/${id}`)).status).toBe(404);
    }
  });

  // rule: media.3
  test('an image without alt text, at its first bytes', async () => {
    const own = await makeSite();
    const metadata = {
      'Upload-Length': String(10_000_000),
      'Upload-Metadata': encode({ site: own.slug, filename: 'a.jpg' }),
    };
    const url = (await tus('POST', `${stack.gateways[0]}/uploads`, metadata)).headers.get('location')!;
    const reply = await send(url, 0, Buffer.concat([photo, Buffer.alloc(64 * 1024)]));
    expect(reply.status).toBe(422);
    const { success, error } = (await reply.json()) as {
      success: boolean;
      error: { code: string; details: { path: string }[] };
    };
    expect(success).toBe(false);
    expect(error.code).toBe('validation_failed');
    expect(error.details[0]!.path).toBe('alt');
    expect(await countLibrary(own)).toBe(0);
  });

  test('more than its kind allows, and more than any', async () => {
    expect((await begin(10 * 1024 ** 3)).status).toBe(413);
    const url = (await begin(26 * 1024 * 1024)).headers.get('location')!;
    expect((await send(url, 0, Buffer.concat([photo, Buffer.alloc(64 * 1024)]))).status).toBe(413);
  });

  test.each([
    ['nothing', { 'Upload-Length': '0' }],
    ['no length', {}],
    ['a length that is none', { 'Upload-Length': 'ten' }],
    ['a negative length', { 'Upload-Length': '-1' }],
  ])('%s', async (_what, headers) => {
    const metadata = { 'Upload-Metadata': encode({ site: site.slug, alt: 'x' }) };
    const { status } = await tus('POST', `${stack.gateways[0]}/uploads`, {
      ...metadata,
      ...(headers as Record<string, string>),
    });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  });

  test.each([
    ['no metadata', undefined],
    ['no site', encode({ filename: 'a.jpg' })],
    ['metadata that is none', '\u00ff,,,= ='],
    ['decorative that is no flag', 'site'],
  ])('%s', async (what, header) => {
    const value = what.startsWith('decorative') ? encode({ site: site.slug, decorative: 'maybe' }) : header;
    const { status } = await tus('POST', `${stack.gateways[0]}/uploads`, {
      'Upload-Length': '10',
      ...(value ? { 'Upload-Metadata': value } : {}),
    });
    expect(status).toBe(422);
  });

  test.each<[string, number, Record<string, string>]>([
    ['no version of the protocol', 412, { 'Tus-Resumable': '' }],
    ['another version of the protocol', 412, { 'Tus-Resumable': '0.2.2' }],
    ['a length that is told later', 422, { 'Upload-Length': '', 'Upload-Defer-Length': '1' }],
    ['a part of one that is put together later', 422, { 'Upload-Concat': 'partial' }],
    ['one put together from others', 422, { 'Upload-Concat': 'final;/uploads/a /uploads/b', 'Upload-Length': '' }],
    ['a length that is none', 400, { 'Upload-Length': 'ten' }],
    ['a negative length', 400, { 'Upload-Length': '-1' }],
    ['metadata that is none', 422, { 'Upload-Metadata': `site ${'*'.repeat(8)}` }],
  ])('%s is %i, in the envelope', async (_what, status, changed) => {
    const all = { 'Tus-Resumable': '1.0.0', 'Upload-Length': '10', 'Upload-Metadata': encode({ site: site.slug }) };
    const headers = Object.fromEntries(Object.entries({ ...all, ...changed }).filter(([, value]) => value !== ''));
    const reply = await fetch(`${stack.gateways[0]}/uploads`, {
      method: 'POST',
      headers: { 'X-API-Key': site.key, ...headers },
    });
    expect(reply.status).toBe(status);
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await reply.json()).toMatchObject({ success: false, error: { message: expect.any(String) } });
    expect(reply.headers.get('tus-version')).toBe(status === 412 ? '1.0.0' : null);
  });

  test('bytes of another content type', async () => {
    const url = (await begin(photo.length)).headers.get('location')!;
    const reply = await tus('PATCH', url, { 'Upload-Offset': '0', 'Content-Type': 'image/jpeg' }, photo);
    expect(reply.status).toBe(400);
    expect(await reply.json()).toMatchObject({ error: { code: 'bad_request' } });
  });
});

test('two proxies in front do no harm', async () => {
  const begun = await begin(photo.length);
  const headers = { 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' };
  const forwarded = { ...headers, 'X-Forwarded-Proto': 'https, http' };
  expect((await tus('PATCH', begun.headers.get('location')!, forwarded, photo)).status).toBe(204);
});
