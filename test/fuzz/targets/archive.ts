import assert from 'node:assert/strict';
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { pack } from 'tar-stream';
import { Problem } from '../../../services/core/errors.ts';
import { shellMaxBytes } from '../../../services/features/shell/paths.ts';
import { unpackTheme } from '../../../services/features/shell/theme/unpack.ts';
import { attemptAsync, damaged, target } from '../target.ts';

async function tarOf(entries: [name: string, text: string | null][]): Promise<Buffer> {
  const archive = pack();
  for (const [name, text] of entries) {
    if (text === null) archive.entry({ name, type: 'symlink', linkname: '/etc/passwd' });
    else archive.entry({ name }, text);
  }
  archive.finalize();
  const parts: Buffer[] = [];
  for await (const part of archive) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

async function gather<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of source) all.push(one);
  return all;
}

/** Builds a correct zip by hand, so that damage can affect every part of it. */
function zipOf(entries: [name: string, text: string][]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, text] of entries) {
    const [raw, title] = [Buffer.from(text), Buffer.from(name)];
    const data = deflateRawSync(raw);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(raw), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(raw.length, 18);
    common.writeUInt16LE(title.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, title, data]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0', 'latin1'), common, tail, title]));
    files.push(local);
    at += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...files, central, end]);
}

const plain = await tarOf([
  ['./base.twig', '<html></html>'],
  ['css/style.css', 'a{}'],
  ['img/', ''],
]);
const hostile = await tarOf([
  ['../x.css', 'a{}'],
  ['a//b.css', ''],
  ['link.css', null],
  [`${'d/'.repeat(60)}x.css`, 'y'],
]);
const zip = zipOf([
  ['base.twig', '<html></html>'],
  ['css/style.css', 'a{}'.repeat(50)],
]);
const hostileZip = zipOf([
  ['../x.css', 'a{}'],
  ['/etc/passwd', ''],
  ['B.css', '1'],
  ['b.css', '2'],
]);
const seeds = [plain, gzipSync(plain), hostile, gzipSync(hostile), zip, hostileZip];

const maxFiles = 2_000;

export const archiveTargets = [
  target({
    name: 'theme archive',
    inputs: fc.oneof(
      damaged(seeds, 4),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    ),
    async check(body) {
      const files = await attemptAsync(() => gather(unpackTheme(body)), Problem);
      if (files === null) return;
      assert.ok(files.length <= maxFiles);
      assert.equal(new Set(files.map(({ path }) => path.toLowerCase())).size, files.length);
      for (const { path, data } of files) {
        assert.ok(!path.startsWith('/') && !path.includes('\\') && !path.includes('\0'));
        for (const segment of path.split('/')) assert.ok(segment !== '' && !segment.startsWith('.'), path);
        assert.ok(data.length <= shellMaxBytes);
      }
    },
  }),
];
