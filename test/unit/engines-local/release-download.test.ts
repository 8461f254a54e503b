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
import {
  type EngineBinary,
  type PinnedRelease,
  temporalBinary,
} from '../../../services/engines-local/engine-binary.ts';
import { downloadRelease } from '../../../services/engines-local/release-download.ts';

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
    response.writeHead(body ? 200 : 404).end(body);
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

/** Temporal as if it were released under these paths of the test's server. */
function released(paths: string[], sha256: string, archive: PinnedRelease['archive']): EngineBinary {
  const { port } = server.address() as AddressInfo;
  const urls = paths.map((name) => `http://127.0.0.1:${port}${name}`);
  return { ...temporalBinary, releases: { [`${process.platform}-${process.arch}`]: { urls, sha256, archive } } };
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

test('a release with the pinned SHA-256 is kept and used, from the second address when the first has gone', async () => {
  const body = Buffer.from(program);
  served.set('/mirror', body);
  const engine = released(['/gone', '/mirror'], hash(body), 'none');
  const first = await downloadRelease(engine, folder, silent);
  expect(first).toEqual({ file: expect.stringMatching(/temporal-release-[0-9a-f]{16}\/temporal$/) });
  served.clear();
  expect(await downloadRelease(engine, folder, silent)).toEqual(first);
});

test('the program is taken out of an archive', async () => {
  const body = await packArchive('temporal');
  served.set('/archive', body);
  const result = await downloadRelease(released(['/archive'], hash(body), 'tar.gz'), folder, silent);
  expect(result).toHaveProperty('file');
});

test('other bytes than the pinned ones are thrown away', async () => {
  served.set('/other', Buffer.from(`${program}echo evil\n`));
  const result = await downloadRelease(released(['/other'], hash(Buffer.from(program)), 'none'), folder, silent);
  expect(result).toEqual({ reason: expect.stringContaining('SHA-256 is not the pinned one') });
  expect(listFiles()).toEqual([]);
});

test('an archive without the program is refused', async () => {
  const body = await packArchive('something-else');
  served.set('/archive', body);
  const result = await downloadRelease(released(['/archive'], hash(body), 'tar.gz'), folder, silent);
  expect(result).toEqual({ reason: expect.stringContaining('there is no temporal in it') });
  expect(listFiles()).toEqual([]);
});

test('a machine without a pinned release is told so', async () => {
  const result = await downloadRelease({ ...temporalBinary, releases: {} }, folder, silent);
  expect(result).toEqual({ reason: 'there is no pinned release for this machine' });
});
