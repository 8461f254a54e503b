import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { ObjectSettings } from '../../../services/core/config.ts';
import { openKeyedStore } from '../../../services/engines/objects/open.ts';
import { uploadStream } from '../../../services/engines/objects/stream-upload.ts';

/** Stores streams of unknown length concurrently, and prints by how many MiB the process has grown at most. */
const [settings, streams, mebibytes] = JSON.parse(process.argv[2]!) as [ObjectSettings, number, number];
const chunk = Buffer.allocUnsafeSlow(64 * 1024).fill(1);
const residentMiB = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))![1]) / 1024;

async function* chunks(): AsyncGenerator<Buffer> {
  for (let n = 0; n < mebibytes * 16; n++) yield chunk;
}

const store = openKeyedStore(settings);
await store.ensure();
await store.put('first', chunk); // loads all modules
const before = residentMiB();
let peak = before;
const timer = setInterval(() => {
  peak = Math.max(peak, residentMiB());
}, 20);
const sources = Array.from({ length: streams }, () => Readable.from(chunks()));
await Promise.all(
  sources.map((source, n) => uploadStream({ stored: store, key: `blobs/${n}` }, source, { maxBytes: 1e12 })),
);
clearInterval(timer);
process.stdout.write(`${Math.ceil(peak - before)}\n`);
process.exit(0);
