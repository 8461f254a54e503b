import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { pack } from 'tar-stream';
import { downloadRelease } from '../../../services/engines-local/release-download.ts';
import type { PinnedRelease } from '../../../services/engines-local/temporal-program.ts';

const program = "#!/bin/sh\necho 'temporal version 1 (Server 1)'\n";
const silent = () => {};
let folder: string;
let server: Server;
let served: Map<string, Buffer>;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'fs-release-'));
  served = new Map();
  server = createServer((request, response) => {
    const body = served.get(request.url!);
    response.statusCode = body ? 200 : 404;
    response.end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
});

function hash(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}

/** Returns a release of Temporal at this path of the test's server. */
function released(name: string, sha256: string): PinnedRelease {
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}${name}`, sha256 };
}

async function packArchive(name: string): Promise<Buffer> {
  const archive = pack();
  archive.entry({ name: 'LICENSE' }, 'text');
  archive.entry({ name }, program);
  archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive) chunks.push(chunk as Buffer);
  return gzipSync(Buffer.concat(chunks));
}

function listFiles(): string[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => /temporal$|tmp|download/.test(name));
}

test('a release with the pinned SHA-256 is unpacked, kept, and used again when its address has gone', async () => {
  const body = await packArchive('temporal');
  served.set('/archive', body);
  const release = released('/archive', hash(body));
  const first = await downloadRelease(release, folder, silent);
  expect(first).toEqual({ file: expect.stringMatching(/temporal-release-[0-9a-f]{16}\/temporal$/) });
  served.clear();
  expect(await downloadRelease(release, folder, silent)).toEqual(first);
});

test('other bytes than the pinned ones are thrown away', async () => {
  served.set('/other', await packArchive('temporal'));
  const result = await downloadRelease(released('/other', hash(Buffer.from(program))), folder, silent);
  expect(result).toEqual({ reason: expect.stringContaining('SHA-256 is not the pinned one') });
  expect(listFiles()).toEqual([]);
});

test('an archive without the program is refused', async () => {
  const body = await packArchive('something-else');
  served.set('/archive', body);
  const result = await downloadRelease(released('/archive', hash(body)), folder, silent);
  expect(result).toEqual({ reason: expect.stringContaining('there is no temporal in it') });
  expect(listFiles()).toEqual([]);
});

test('a release that is gone, or an address that nobody answers at, is a reason and no error', async () => {
  const gone = await downloadRelease(released('/gone', 'a'.repeat(64)), folder, silent);
  expect(gone).toEqual({ reason: expect.stringContaining('status 404') });
  const refused = await downloadRelease({ url: 'http://127.0.0.1:9/', sha256: 'b'.repeat(64) }, folder, silent);
  expect(refused).toHaveProperty('reason');
});

test.each([0, 5])('a server that sends %i bytes and then nothing is given up soon', async (count) => {
  server.removeAllListeners('request');
  server.on('request', (_, response) => {
    if (count > 0) response.write(Buffer.alloc(count));
  });
  const result = await downloadRelease(released('/silent', 'a'.repeat(64)), folder, silent, 200);
  expect(result).toEqual({ reason: expect.stringContaining('no byte within 200 ms') });
  expect(listFiles()).toEqual([]);
});

test('a machine without a pinned release is told so', async () => {
  expect(await downloadRelease(null, folder, silent)).toEqual({
    reason: 'there is no pinned release for this machine',
  });
});
