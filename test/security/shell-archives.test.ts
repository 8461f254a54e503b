import { crc32, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack, makeSite, type TestSite } from '../harness/api.ts';
import { makeRawTar, makeTar, makeZip, paxRecord } from '../harness/archives.ts';

let site: TestSite;
let before: unknown;
const state = async () => ({
  files: (await site.request('GET', '/shell/files?per_page=100')).json,
  snapshots: (await site.request('GET', '/shell/snapshots')).json,
  jobs: (await site.request('GET', '/jobs')).json,
});
beforeAll(async () => {
  site = await makeSite();
  before = await state();
});
afterAll(closeStack);

const fine = { name: 'style.css', data: 'replaced{}' };
const link = (type: string) => makeRawTar([fine, { name: 'link.css', type, link: '/etc/passwd' }]);
const named = (name: string | Buffer) => makeRawTar([fine, { name, data: 'x' }]);
const zipNamed = (name: string | Buffer) => makeZip([fine, { name, data: 'x' }]);
const pax = (key: string, value: string) =>
  makeRawTar([fine, { name: 'pax', type: 'x', data: paxRecord(key, value) }, { name: 'y.css', data: 'y' }]);
const zeros = (bytes: number) => Buffer.alloc(bytes);

/** The contents of the archive, and the entry that the error must name; empty if no entry is at fault. */
const hostile: [what: string, entry: string | RegExp, archive: () => Buffer | Promise<Buffer>][] = [
  ['a parent folder', '../evil.css', () => named('../evil.css')],
  ['a parent folder further in', 'a/../../evil.css', () => named('a/../../evil.css')],
  ['a parent folder behind ./', './../evil.css', () => named('./../evil.css')],
  ['an absolute path', '/etc/evil.css', () => named('/etc/evil.css')],
  ['two slashes', '//host/evil.css', () => named('//host/evil.css')],
  ['a drive', 'C:\\evil.css', () => named('C:\\evil.css')],
  ['backslashes', '..\\evil.css', () => named('..\\evil.css')],
  ['a dot file', '.evil.css', () => named('.evil.css')],
  ['a folder with a dot', '.git/evil.css', () => named('.git/evil.css')],
  ['a dot segment', 'a/./evil.css', () => named('a/./evil.css')],
  ['an empty segment', 'a//evil.css', () => named('a//evil.css')],
  ['a control character', 'a\nb.css', () => named('a\nb.css')],
  ['an extension that is not allowed', 'evil.php', () => named('evil.php')],
  ['no extension', 'Makefile', () => named('Makefile')],
  ['a name that is not UTF-8', /\.css$/, () => named(Buffer.from([0xff, 0xfe, 0x2e, 0x63, 0x73, 0x73]))],
  ['a folder with a parent folder', '../', () => makeRawTar([fine, { name: '../', type: '5' }])],
  ['an absolute folder', '/etc/', () => makeRawTar([fine, { name: '/etc/', type: '5' }])],
  ['a symbolic link', 'link.css', () => link('2')],
  ['a hard link', 'link.css', () => link('1')],
  ['a character device', 'link.css', () => link('3')],
  ['a block device', 'link.css', () => link('4')],
  ['a pipe', 'link.css', () => link('6')],
  ['a type that nobody knows', 'link.css', () => link('Z')],
  ['a sparse file', 'y.css', () => pax('GNU.sparse.major', '1')],
  ['a parent folder in a pax header', '../evil.css', () => pax('path', '../evil.css')],
  ['a NUL in a pax header', 'a\u0000.css', () => pax('path', 'a\u0000.css')],
  ['a path that is too long in a pax header', /^x+$/, () => pax('path', `${'x'.repeat(300)}.css`)],
  [
    'a parent folder in a GNU long name',
    '../evil.css',
    () => makeRawTar([fine, { name: '././@LongLink', type: 'L', data: '../evil.css\0' }, { name: 'z', data: 'z' }]),
  ],
  ['the same name twice', 'style.css', () => makeRawTar([fine, fine])],
  ['the same name behind ./', './style.css', () => makeRawTar([fine, { name: './style.css', data: 'x' }])],
  ['names that differ in case', 'STYLE.css', () => named('STYLE.css')],
  [
    'names that differ in Unicode form',
    'u\u0308.css',
    () => makeRawTar([{ name: '\u00fc.css' }, { name: 'u\u0308.css' }]),
  ],
  ['a file that is too large', 'large.css', () => makeTar([[{ name: 'large.css' }, zeros(5_000_001)]])],
  [
    'a size beyond all bounds',
    '',
    () => makeRawTar([fine, { name: 'huge.css', size: Buffer.from('80000000ffffffffffffffff', 'hex') }]),
  ],
  ['a size that is cut short', 'short.css', () => makeRawTar([fine, { name: 'short.css', data: 'x', size: 100_000 }])],
  ['a wrong checksum', '', () => makeRawTar([fine, { name: 'x.css', data: 'x', checksum: '000001\0 ' }])],
  ['no end', '', () => makeRawTar([fine], 0)],
  ['half an end', '', () => makeRawTar([fine], 512)],
  ['nothing', '', () => Buffer.alloc(0)],
  ['no files', '', () => makeRawTar([])],
  ['folders only', '', () => makeRawTar([{ name: 'css/', type: '5' }])],
  ['text', '', () => Buffer.from('<h1>not an archive</h1>'.repeat(100))],
  ['gzipped text', '', () => gzipSync('not an archive')],
  ['a gzip that is cut', '', () => gzipSync(makeRawTar([fine])).subarray(0, 60)],
  ['a gzip in a gzip', '', () => gzipSync(gzipSync(makeRawTar([fine])))],
  ['a gzip bomb of nothing', '', () => gzipSync(zeros(300_000_000))],
  [
    'a gzip bomb of files',
    '',
    async () => gzipSync(await makeTar(Array.from({ length: 15 }, (_, i) => [{ name: `${i}.css` }, zeros(5_000_000)]))),
  ],
  ['too many files', '', () => makeRawTar(Array.from({ length: 2001 }, (_, i) => ({ name: `${i}.css` })))],
  ['too many folders', '', () => makeRawTar(Array.from({ length: 2001 }, (_, i) => ({ name: `${i}/`, type: '5' })))],
  ['a parent folder in a zip', '../evil.css', () => zipNamed('../evil.css')],
  ['an absolute path in a zip', '/evil.css', () => zipNamed('/evil.css')],
  ['backslashes in a zip', '..\\evil.css', () => zipNamed('..\\evil.css')],
  ['a NUL in a zip', 'a\u0000.css', () => zipNamed('a\u0000.css')],
  ['a control character in a zip', 'a\u0001.css', () => zipNamed('a\u0001.css')],
  ['an empty name in a zip', '', () => zipNamed('')],
  ['a folder in a zip outside', '../', () => zipNamed('../')],
  ['the same name twice in a zip', 'style.css', () => makeZip([fine, fine])],
  ['a symbolic link in a zip', 'l.css', () => makeZip([fine, { name: 'l.css', data: '/etc/passwd', mode: 0o120777 }])],
  ['a device in a zip', 'd.css', () => makeZip([fine, { name: 'd.css', mode: 0o020666 }])],
  ['an encrypted file in a zip', 'e.css', () => makeZip([fine, { name: 'e.css', data: 'x', flags: 0x801 }])],
  ['an unknown compression', 'm.css', () => makeZip([fine, { name: 'm.css', data: 'x', method: 99 }])],
  ['a wrong checksum in a zip', 'c.css', () => makeZip([fine, { name: 'c.css', data: 'x', crc: 1 }])],
  ['a file that unpacks to more than it says', 'b.css', () => makeZip([{ name: 'b.css', data: zeros(9999), size: 9 }])],
  ['a file that unpacks to less than it says', 'b.css', () => makeZip([{ name: 'b.css', data: 'x', size: 9999 }])],
  ['a file in a zip that is too large', 'large.css', () => makeZip([{ name: 'large.css', data: zeros(5_000_001) }])],
  [
    'a zip bomb',
    '',
    () => makeZip(Array.from({ length: 15 }, (_, i) => ({ name: `${i}.css`, data: zeros(5_000_000) }))),
  ],
  ['broken compression', 'p.css', () => makeZip([{ name: 'p.css', data: 'x', packed: Buffer.from('ffffff', 'hex') }])],
  [
    'a zip that is cut',
    '',
    () => makeZip([fine, { name: 'x.css', data: 'x'.repeat(500), method: 0 }]).subarray(0, 200),
  ],
  ['a zip without entries', '', () => makeZip([])],
  [
    'a path outside in the extra field of a zip',
    '../evil.css',
    () => {
      const name = Buffer.from('x.css');
      const path = Buffer.from('../evil.css');
      const extra = Buffer.alloc(9 + path.length);
      extra.writeUInt16LE(0x7075, 0);
      extra.writeUInt16LE(5 + path.length, 2);
      extra[4] = 1;
      extra.writeUInt32LE(crc32(name), 5);
      path.copy(extra, 9);
      return makeZip([fine, { name, data: 'x', extra }]);
    },
  ],
];

describe('an archive with', () => {
  // rule: threat.29
  test.each(hostile)('%s is refused', async (_what, entry, archive) => {
    const reply = await site.request('POST', '/shell/archive', undefined, { raw: await archive() });
    expect([reply.status, reply.error.code]).toEqual([422, 'validation_failed']);
    const [{ path }] = reply.error.details;
    if (typeof entry === 'string') expect(path).toBe(entry);
    else expect(path).toMatch(entry);
  });

  test('more bytes than allowed is 413', async () => {
    const raw = Buffer.alloc(32 * 1024 * 1024 + 1);
    const reply = await site.request('POST', '/shell/archive', undefined, { raw });
    expect([reply.status, reply.error.code]).toEqual([413, 'too_large']);
  });

  test('many faults has them all named', async () => {
    const archive = makeRawTar([{ name: '/a.css' }, fine, { name: 'b.exe' }, { name: '../c.css' }]);
    const { error } = await site.request('POST', '/shell/archive?mode=merge', undefined, { raw: archive });
    expect(error.details.map(({ path }: { path: string }) => path)).toEqual(['/a.css', 'b.exe', '../c.css']);
  });
});

// rule: threat.29
test('none of them changed a file, took a snapshot or queued a build', async () => {
  expect(await state()).toEqual(before);
});
