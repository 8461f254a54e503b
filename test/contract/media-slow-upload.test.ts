import http from 'node:http';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { closeStack, eventually, makeSite, type TestSite } from '../harness/api.ts';
import { countLibrary, jpeg } from '../harness/media.ts';
import { startRole, type TestRole } from '../harness/role.ts';

/** A gateway with a short timeout; the rule is the same for any timeout. */
const silenceMs = 1500;
let site: TestSite;
let gateway: TestRole;
let photo: Buffer;
beforeAll(async () => {
  site = await makeSite();
  photo = await jpeg(200, 200);
  gateway = await startRole('gateway', { FIELDSTONE_BODY_TIMEOUT_MS: String(silenceMs) });
}, 60_000);
afterAll(async () => {
  await gateway.kill();
  await closeStack();
});

const boundary = 'slow';
const before = `--${boundary}\r\nContent-Disposition: form-data; name="alt"\r\n\r\nx\r\n--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n`;
const after = `\r\n--${boundary}--\r\n`;

/** Sends the pieces with a pause before each; returns the status. */
function send(pieces: Buffer[], pauseMs: number, length: number): Promise<number> {
  const { hostname, port } = new URL(gateway.url);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const headers = {
    'X-API-Key': site.key,
    'Content-Type': `multipart/form-data; boundary=${boundary}`,
    'Content-Length': length,
  };
  const req = http.request(
    { hostname, port, method: 'POST', path: `/api/v1/sites/${site.slug}/media`, headers },
    (res) => {
      res.resume();
      resolve(res.statusCode!);
    },
  );
  req.on('error', reject);
  void (async () => {
    for (const piece of pieces) {
      req.write(piece);
      await sleep(pauseMs);
    }
    if (pieces.reduce((sum, piece) => sum + piece.length, 0) === length) req.end();
  })();
  return promise;
}

test('an upload that takes longer than the silence allowed is taken, as long as it goes on', async () => {
  const whole = Buffer.concat([Buffer.from(before), photo, Buffer.from(after)]);
  const size = Math.ceil(whole.length / 8);
  const pieces = Array.from({ length: 8 }, (_, index) => whole.subarray(index * size, (index + 1) * size));
  expect(await send(pieces, silenceMs / 4, whole.length)).toBe(201);
});

// rule: threat.6, threat.43
test('an upload that falls silent is cut off, and leaves nothing', async () => {
  const count = await countLibrary(site);
  expect(await send([Buffer.from(before), photo.subarray(0, 100)], 10, 100_000)).toBe(408);
  expect(await countLibrary(site)).toBe(count);
});

// rule: threat.6
test('uploads of clients that are gone are under way no more: the user may begin others', async () => {
  const patient = await startRole('gateway');
  try {
    const metadata = `site ${Buffer.from(site.slug).toString('base64')},filename ${Buffer.from('a.bin').toString('base64')}`;
    const headers = { 'X-API-Key': site.key, 'Tus-Resumable': '1.0.0' };
    const begin = () =>
      fetch(`${patient.url}/uploads`, {
        method: 'POST',
        headers: { ...headers, 'Upload-Length': '1000000', 'Upload-Metadata': metadata },
      });
    const most = 64;
    const sockets = await Promise.all(
      Array.from({ length: most }, async () => {
        const { pathname } = new URL((await begin()).headers.get('location')!);
        const { hostname, port } = new URL(patient.url);
        const socket = net.connect(Number(port), hostname).on('error', () => undefined);
        const own = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
        socket.write(
          `PATCH ${pathname} HTTP/1.1\r\nHost: x\r\n${own.join('')}Upload-Offset: 0\r\nContent-Type: application/offset+octet-stream\r\nContent-Length: 1000000\r\n\r\nx`,
        );
        return socket;
      }),
    );
    await eventually('all are under way', async () => (await begin()).status === 503);
    for (const socket of sockets) socket.destroy();
    await eventually('there is room again', async () => (await begin()).status === 201);
  } finally {
    await patient.kill();
  }
});
