import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { roleArguments } from '../../../services/cli/up/roles.ts';
import type { ObjectSettings } from '../../../services/core/config.ts';

/** Aim of decision 53: the maximum growth of a process by ten concurrent uploads. */
const maxGrowthMiB = 64;
const child = path.join(import.meta.dirname, 'put-memory-child.ts');
const folder = mkdtempSync(path.join(tmpdir(), 'fs-memory-'));
let s3: Server;

/** Starts an S3 server that counts bytes and discards them. */
beforeAll(async () => {
  const sizes = new Map<string, number>();
  s3 = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://s3');
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    request.on('end', () => {
      if (request.method === 'POST' && searchParams.has('uploads')) {
        response.end('<InitiateMultipartUploadResult><UploadId>u-1</UploadId></InitiateMultipartUploadResult>');
      } else if (request.method === 'POST') {
        response.end('<CompleteMultipartUploadResult><ETag>"x"</ETag></CompleteMultipartUploadResult>');
      } else {
        sizes.set(pathname, (sizes.get(pathname) ?? 0) + bytes);
        const length = request.method === 'HEAD' ? { 'Content-Length': sizes.get(pathname) } : {};
        response.writeHead(200, { ETag: '"x"', ...length }).end();
      }
    });
  });
  await new Promise<void>((resolve) => s3.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  s3.closeAllConnections();
  s3.close();
  rmSync(folder, { recursive: true, force: true });
});

async function grow(settings: ObjectSettings): Promise<number> {
  const nodeOptions = roleArguments('gateway').filter((argument) => argument.startsWith('--'));
  const args = [...nodeOptions, '--no-warnings', child, JSON.stringify([settings, 10, 64])];
  const env = { ...process.env, MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '65536' };
  return Number((await promisify(execFile)(process.execPath, args, { env })).stdout);
}

const testOnLinux = process.platform === 'linux' ? test : test.skip;

// rule: threat.43
testOnLinux('ten streams of unknown length at once stay within constant memory: files', async () => {
  expect(await grow({ engine: 'files', folder, minFreeBytes: 0 })).toBeLessThan(maxGrowthMiB);
});

// this server omits Location from its replies, as some do
// rule: threat.43
testOnLinux('ten streams of unknown length at once stay within constant memory: S3', async () => {
  const endpoint = `http://127.0.0.1:${(s3.address() as AddressInfo).port}`;
  const keys = { accessKey: 'a', secretKey: 's', region: 'us-east-1', ca: undefined };
  expect(await grow({ engine: 's3', endpoint, bucket: 'b-1', ...keys })).toBeLessThan(maxGrowthMiB);
});
