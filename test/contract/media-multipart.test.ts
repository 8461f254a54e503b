import net from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack, makeSite, nextGateway, type TestSite } from '../harness/api.ts';
import { countLibrary, jpeg, sendRaw, upload } from '../harness/media.ts';

let site: TestSite;
let photo: Buffer;
beforeAll(async () => {
  site = await makeSite();
  photo = await jpeg();
});
afterAll(closeStack);

const boundary = 'xxBOUNDARYxx';
const type = `multipart/form-data; boundary=${boundary}`;
const field = (name: string, value: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const filePart = (disposition = 'form-data; name="file"; filename="a.jpg"', bytes = photo) =>
  Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: image/jpeg\r\n\r\n`),
    bytes,
    Buffer.from('\r\n'),
  ]);
const end = `--${boundary}--\r\n`;
const form = (...parts: (string | Buffer)[]) => Buffer.concat(parts.map((part) => Buffer.from(part)));
const alt = field('alt', 'x');

describe('a broken form is 422, and leaves nothing in the library:', () => {
  test.each<[string, () => Buffer, string?]>([
    ['no boundary in the content type', () => form(alt, filePart(), end), 'multipart/form-data'],
    ['an empty boundary', () => form(alt, filePart(), end), 'multipart/form-data; boundary='],
    ['another boundary than the body has', () => form(alt, filePart(), end), 'multipart/form-data; boundary=other'],
    ['no body', () => Buffer.alloc(0)],
    ['only the end', () => form(end)],
    ['no parts that anybody knows', () => Buffer.from('hello')],
    ['a body that ends within the file', () => form(alt, filePart().subarray(0, 300))],
    ['a body that ends within a header', () => form(alt, `--${boundary}\r\nContent-Dispo`)],
    ['a body without its last boundary', () => form(alt, filePart())],
    ['two files', () => form(alt, filePart(), filePart(), end)],
    ['three files', () => form(alt, filePart(), filePart(), filePart(), end)],
    ['an empty file', () => form(alt, filePart(undefined, Buffer.alloc(0)), end)],
    ['no file and no url', () => form(alt, end)],
    ['a file part without a name', () => form(alt, filePart('form-data; filename="a.jpg"'), end)],
    ['a file part with an empty name', () => form(alt, filePart('form-data; name=""; filename="a.jpg"'), end)],
    ['a file part of another name', () => form(alt, filePart('form-data; name="upload"; filename="a.jpg"'), end)],
    ['a file part without a filename', () => form(alt, filePart('form-data; name="file"'), end)],
    [
      'a field without a name',
      () => form(alt, `--${boundary}\r\nContent-Disposition: form-data\r\n\r\nx\r\n`, filePart(), end),
    ],
    ['a field twice', () => form(alt, field('alt', 'y'), filePart(), end)],
    ['an unknown field', () => form(alt, field('caption', 'y'), filePart(), end)],
    ['a field called __proto__', () => form(alt, field('__proto__', 'y'), filePart(), end)],
    [
      'a thousand fields',
      () => form(...Array.from({ length: 1000 }, (_, n) => field(`f${n}`, 'x')), alt, filePart(), end),
    ],
    ['a field of a megabyte', () => form(field('alt', 'x'.repeat(1_000_000)), filePart(), end)],
    ['a field name of 100 KB', () => form(alt, field('n'.repeat(100_000), 'x'), filePart(), end)],
    ['an alt text above its limit', () => form(field('alt', 'x'.repeat(2001)), filePart(), end)],
    ['NUL in a field', () => form(field('alt', 'a\0b'), filePart(), end)],
    ['a field that is not UTF-8', () => form(Buffer.from(field('alt', 'aÿb'), 'latin1'), filePart(), end)],
    ['decorative that is no flag', () => form(field('decorative', 'maybe'), filePart(), end)],
    ['decorative empty', () => form(field('decorative', ''), filePart(), end)],
    [
      'another form in place of the file',
      () => form(alt, filePart('form-data; name="other"; filename="n.txt"', form(field('alt', 'y'))), end),
    ],
    ['parts without a disposition', () => form(alt, `--${boundary}\r\nContent-Type: image/jpeg\r\n\r\nx\r\n`, end)],
    ['a part that is an attachment', () => form(alt, filePart('attachment; name="file"; filename="a.jpg"'), end)],
  ])('%s', async (_what, body, contentType = type) => {
    const fresh = await makeSite();
    const { status, error } = await sendRaw(fresh, body(), contentType);
    expect(status).toBe(422);
    expect(error.message).toMatch(/\w/);
    expect(await countLibrary(fresh)).toBe(0);
  });
});

// rule: media.1
describe('a form is understood', () => {
  test.each<[string, () => Buffer, string?]>([
    ['with text before and after it', () => form('preamble\r\n', alt, filePart(), end, 'epilogue\r\n')],
    ['with a quoted boundary', () => form(alt, filePart(), end), `multipart/form-data; boundary="${boundary}"`],
    [
      'with the content type in capitals',
      () => form(alt, filePart(), end),
      `Multipart/Form-Data; boundary=${boundary}`,
    ],
    ['with the file first', () => form(filePart(), alt, end)],
    ['with a field after the file', () => form(alt, filePart(), field('decorative', '1'), end)],
  ])('%s', async (_what, body, contentType = type) => {
    expect((await sendRaw(site, body(), contentType)).status).toBe(201);
  });

  test('whose file holds something like its boundary', async () => {
    const bytes = Buffer.concat([photo, Buffer.from(`\r\n--${boundary.slice(0, -1)}\r\n\r\n--\r\n`)]);
    const { status, data } = await sendRaw(site, form(alt, filePart(undefined, bytes), end), type);
    expect(status).toBe(201);
    expect(data.bytes).toBe(bytes.length);
  });
});

describe('a filename', () => {
  test.each([
    ['../../etc/passwd.jpg', 'passwd.jpg'],
    ['C:\\Users\\me\\photo.jpg', 'photo.jpg'],
    ['/var/www/a.jpg', 'a.jpg'],
    ['photo\u202egpj.exe', 'photogpj.exe'],
    ['..', 'file'],
    ['.htaccess', 'htaccess'],
    ['   ', 'file'],
    ['naïve café.jpg', 'naïve café.jpg'],
    ['写真.jpg', '写真.jpg'],
    ['a<b>|"c.jpg', 'a_b___c.jpg'],
  ])('%j is kept as %j', async (given, kept) => {
    const disposition = `form-data; name="file"; filename="${given.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
    const { status, data } = await sendRaw(site, form(alt, filePart(disposition), end), type);
    expect(status).toBe(201);
    expect(data.filename).toBe(kept);
    expect((await fetch(data.url)).status).toBe(200);
  });

  test('of a thousand characters is cut, its extension kept', async () => {
    const { status, data } = await upload(site, photo, { filename: `${'ö'.repeat(1000)}.jpg` });
    expect(status).toBe(201);
    expect(Buffer.byteLength(data.filename)).toBeLessThanOrEqual(200);
    expect(data.filename).toMatch(/^ö+\.jpg$/);
  });

  test.each(['a\0b.jpg', 'a\nb.jpg', 'a\r\nX-Evil: 1\r\nb.jpg'])('%j does no harm', async (given) => {
    const { status, data } = await sendRaw(
      site,
      form(alt, filePart(`form-data; name="file"; filename="${given}"`), end),
      type,
    );
    expect([201, 422]).toContain(status);
    if (status === 201) expect(data.filename).not.toMatch(/[\u0000-\u001f]/);
  });
});

describe('an idempotency key', () => {
  const send = (key: string, body: Buffer, contentType = type) =>
    sendRaw(site, body, contentType, { headers: { 'Idempotency-Key': key } });

  // rule: idempotency.1
  test('replays the same fields and bytes under another boundary', async () => {
    const key = `form-${Date.now()}`;
    const first = await send(key, form(alt, filePart(), end));
    expect(first.status).toBe(201);
    const other = form(filePart(), alt, end).toString('latin1').replaceAll(boundary, 'another');
    const again = await send(key, Buffer.from(other, 'latin1'), 'multipart/form-data; boundary=another');
    expect(again.status).toBe(201);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.data.id).toBe(first.data.id);
  });

  test('with other bytes or another field is 422', async () => {
    const key = `form-other-${Date.now()}`;
    expect((await send(key, form(alt, filePart(), end))).status).toBe(201);
    for (const body of [
      form(alt, filePart(undefined, Buffer.concat([photo, Buffer.from([0])])), end),
      form(field('alt', 'y'), filePart(), end),
    ]) {
      const { status, error } = await send(key, body);
      expect(status).toBe(422);
      expect(error.code).toBe('idempotency_key_reused');
    }
  });

  test('replays a refusal', async () => {
    const key = `form-refused-${Date.now()}`;
    expect((await send(key, form(filePart(), end))).status).toBe(422);
    const again = await send(key, form(filePart(), end));
    expect(again.status).toBe(422);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });
});

test('a client that hangs up within the file leaves nothing, and the service goes on', async () => {
  const fresh = await makeSite();
  const { hostname, port } = new URL(nextGateway());
  const socket = net.connect(Number(port), hostname);
  socket.write(
    `POST /api/v1/sites/${fresh.slug}/media HTTP/1.1\r\nHost: x\r\nX-API-Key: ${fresh.key}\r\nContent-Type: ${type}\r\nContent-Length: 1000000\r\n\r\n`,
  );
  socket.write(form(alt, filePart()));
  await new Promise((resolve) => setTimeout(resolve, 200));
  socket.resetAndDestroy();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await countLibrary(fresh)).toBe(0);
  expect((await upload(fresh, photo)).status).toBe(201);
});

describe('what is wrong with a field or the file is told after idempotency:', () => {
  const faulty = () => form(field('alt', 'one'), field('alt', 'two'), filePart(), end);
  const send = (key: string, body: Buffer) => sendRaw(site, body, type, { headers: { 'Idempotency-Key': key } });

  test('a malformed key comes first', async () => {
    expect((await send('a b', faulty())).error.code).toBe('idempotency_key_invalid');
    expect((await send('a b', form(alt, filePart(undefined, Buffer.alloc(0)), end))).error.code).toBe(
      'idempotency_key_invalid',
    );
  });

  test('a key that was used with another form comes first', async () => {
    const key = `form-${boundary}-${Date.now()}`;
    expect((await send(key, form(alt, filePart(), end))).status).toBe(201);
    expect((await send(key, faulty())).error.code).toBe('idempotency_key_reused');
  });

  test('the refusal is final for its key, and replayed', async () => {
    const key = `faulty-${boundary}-${Date.now()}`;
    const first = await send(key, faulty());
    expect([first.status, first.error.details[0].path]).toEqual([422, 'alt']);
    const again = await send(key, faulty());
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([422, 'true']);
    expect((await send(key, form(alt, filePart(), end))).error.code).toBe('idempotency_key_reused');
  });

  test('a form that cannot be read is no request: its key stays free', async () => {
    const key = `cut-${boundary}-${Date.now()}`;
    expect((await send(key, form(alt, filePart()))).status).toBe(422);
    expect((await send(key, form(alt, filePart(), end))).status).toBe(201);
  });
});
