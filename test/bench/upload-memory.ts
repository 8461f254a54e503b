/**
 * Measures how much the memory of a gateway grows while ten files of 500 MiB are uploaded concurrently (issue: Upload);
 * the aim is less than 64 MiB. Each round starts a separate gateway, as `fieldstone up` does; its resident memory is
 * read every 50 ms. Needs a stack, which `npm run bench -- upload-memory` provides.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { planRole } from '../../services/cli/up/roles.ts';
import { openObjectStore } from '../../services/engines/objects/store.ts';
import { findFreePort } from '../../services/engines-local/ports.ts';
import { closeStack, eventually, makeSite, stack, stackConfig, stackDatabase, type TestSite } from '../harness/api.ts';
import { figure } from './report/figure.ts';

const mebibyte = 1024 * 1024;
const files = Number(process.env['FILES'] ?? 10);
const fileMiB = Number(process.env['FILE_MIB'] ?? 500);
const rounds = Number(process.env['ROUNDS'] ?? 2);
const sampleMs = 50;

function residentMiB(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
}

/** Returns the CPU time that the process has used; the system counts ticks of 10 ms. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Uploads a form as fast as the gateway reads it. Every file is different. */
async function upload(site: TestSite, origin: string, isAnnounced: boolean): Promise<string> {
  const boundary = 'bench';
  const head = Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="big.bin"\r\n\r\n`);
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const block = randomBytes(mebibyte);
  const headers = {
    'X-API-Key': site.key,
    'Content-Type': `multipart/form-data; boundary=${boundary}`,
    ...(isAnnounced ? { 'Content-Length': head.length + fileMiB * mebibyte + tail.length } : {}),
  };
  const req = http.request(`${origin}/api/v1/sites/${site.slug}/media`, { method: 'POST', headers });
  const reply = once(req, 'response') as Promise<[http.IncomingMessage]>;
  req.write(head);
  for (let sent = 0; sent < fileMiB; sent++) if (!req.write(block)) await once(req, 'drain');
  req.end(tail);
  const [res] = await reply;
  const text = (await res.toArray()).join('');
  if (res.statusCode !== 201) throw new Error(`The upload answered ${res.statusCode}: ${text}`);
  return JSON.parse(text).data.sha256;
}

/** Deletes the objects at once, because the files would fill the disk. */
async function removeObjects(hashes: string[]): Promise<void> {
  const db = stackDatabase();
  const rows = await db.query<{ object_key: string }>(
    'DELETE FROM objects WHERE hash = ANY($1::TEXT[]) RETURNING object_key',
    [hashes],
  );
  await openObjectStore(stackConfig().objects, db).removeObjects(rows.map(({ object_key }) => object_key));
}

async function startGateway() {
  const [port, opsPort] = await Promise.all([findFreePort(), findFreePort()]);
  const role = planRole(
    'gateway',
    {
      ...stack.env,
      FIELDSTONE_TEST_SQL_LOG: '',
      FIELDSTONE_PORT: String(port),
      FIELDSTONE_MEDIA_FILE_MAX_BYTES: String(2 * fileMiB * mebibyte),
    },
    opsPort,
  );
  const child = spawn(role.command, role.args, { env: role.env, stdio: 'ignore' });
  await eventually('the gateway is ready', () => role.isReady().catch(() => false));
  return { child, origin: `http://127.0.0.1:${port}` };
}

async function measure(round: number, isAnnounced: boolean): Promise<void> {
  const site = await makeSite();
  const { child, origin } = await startGateway();
  try {
    await fetch(`${origin}/api/v1/sites/${site.slug}/media`, { headers: { 'X-API-Key': site.key } });
    const before = residentMiB(child.pid!);
    let peak = before;
    const timer = setInterval(() => {
      peak = Math.max(peak, residentMiB(child.pid!));
    }, sampleMs);
    const startedAt = performance.now();
    const hashes = await Promise.all(Array.from({ length: files }, () => upload(site, origin, isAnnounced)));
    clearInterval(timer);
    const seconds = (performance.now() - startedAt) / 1000;
    const cpu = cpuSeconds(child.pid!);
    await site.request('DELETE', '');
    await removeObjects(hashes);
    console.log(`round ${round}: ${seconds.toFixed(0)} s, ${cpu.toFixed(1)} s of CPU, ${before.toFixed(0)} MiB before`);
    figure(
      `memory while ${files} files of ${fileMiB} MiB come in ${isAnnounced ? 'with' : 'without'} Content-Length, fresh gateway, round ${round}`,
      `+${(peak - before).toFixed(0)} MiB`,
      '< 64 MiB',
    );
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}

for (let round = 1; round <= rounds; round++) {
  await measure(round, true);
  await measure(round, false);
}
await closeStack();
