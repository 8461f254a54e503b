import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findThemeFolder } from '../../../services/features/shell/theme/folder.ts';
import { unpackTheme } from '../../../services/features/shell/theme/unpack.ts';
import { makeRawTar, makeTar, makeZip, paxRecord } from '../../harness/archives.ts';
import { sized } from '../../harness/long-form.ts';

async function unpack(archive: Buffer): Promise<[string, string][]> {
  const files: [string, string][] = [];
  for await (const { path, data } of unpackTheme(archive)) files.push([path, data.toString('latin1')]);
  return files;
}

const segment = fc
  .string({ minLength: 1, maxLength: 20, unit: 'grapheme' })
  .filter((text) => !/[\u0000-\u001f\u007f-\u009f/\\\ufffd]|^\./.test(text));
const path = fc
  .tuple(fc.array(segment, { maxLength: 4 }), segment, fc.constantFrom('twig', 'css', 'js', 'json', 'png', 'woff2'))
  .map(([folders, name, extension]) => [...folders, `${name}.${extension}`].join('/'))
  .filter((text) => Buffer.byteLength(text) <= 255);
const theme = fc.uniqueArray(fc.tuple(path, fc.uint8Array({ maxLength: 2000 })), {
  minLength: 1,
  maxLength: 12,
  selector: ([name]) => name.normalize('NFKC').toLowerCase(),
});

describe('what was packed comes out', () => {
  test.each(['tar', 'tar.gz', 'zip', 'stored zip'])('as %s', async (format) => {
    await fc.assert(
      fc.asyncProperty(theme, async (files) => {
        const entries = files.map(([name, data]) => ({ name, data: Buffer.from(data) }));
        const tar = () => makeTar(entries.map(({ name, data }) => [{ name }, data]));
        const archive =
          format === 'tar'
            ? await tar()
            : format === 'tar.gz'
              ? gzipSync(await tar())
              : makeZip(entries.map((entry) => ({ ...entry, method: format === 'zip' ? 8 : 0 })));
        expect(await unpack(archive)).toEqual(entries.map(({ name, data }) => [name, data.toString('latin1')]));
      }),
      { numRuns: sized(20, 60) },
    );
  });

  test('bytes that are no archive, or one with a bit of it changed, are refused or read, never a crash', async () => {
    const seed = makeZip([
      { name: 'a.css', data: 'a{}' },
      { name: 'b/c.twig', data: '{{ x }}'.repeat(50) },
    ]);
    const tar = await makeTar([[{ name: 'a.css' }, 'a{}']]);
    const source = fc.constantFrom(seed, tar, gzipSync(tar));
    const change = fc.tuple(fc.nat(), fc.nat(255));
    await fc.assert(
      fc.asyncProperty(source, fc.array(change, { minLength: 1, maxLength: 5 }), async (archive, changes) => {
        const broken = Buffer.from(archive);
        for (const [at, byte] of changes) broken[at % broken.length] = byte;
        await unpack(broken).catch((error: unknown) => expect(error).toMatchObject({ code: 'validation_failed' }));
      }),
      { numRuns: sized(100, 400) },
    );
  });
});

describe('ways to write the same', () => {
  test('`tar -C theme -c .`: a leading ./ and the folder itself', async () => {
    const archive = makeRawTar([
      { name: './', type: '5' },
      { name: './base.twig', data: 'x' },
      { name: './css/', type: '5' },
      { name: './css/a.css', data: 'y' },
    ]);
    expect(await unpack(archive)).toEqual([
      ['base.twig', 'x'],
      ['css/a.css', 'y'],
    ]);
  });

  test('what `git archive` writes: a global header, and a path in a pax header', async () => {
    const name = `${'long/'.repeat(40)}x.css`;
    const archive = makeRawTar([
      { name: 'pax_global_header', type: 'g', data: paxRecord('comment', 'a'.repeat(40)) },
      { name: 'pax', type: 'x', data: paxRecord('path', name) },
      { name: 'cut', data: 'z' },
    ]);
    expect(await unpack(archive)).toEqual([[name, 'z']]);
  });

  test('a zip without the UTF-8 flag, and with folders', async () => {
    const archive = makeZip([
      { name: 'css/', method: 0, mode: 0o040755 },
      { name: 'css/über.css', data: 'a', flags: 0, mode: 0o100644 },
    ]);
    expect(await unpack(archive)).toEqual([['css/über.css', 'a']]);
  });
});

describe('the folder around a theme', () => {
  test.each([
    ['demo-1.0/', ['demo-1.0/base.twig', 'demo-1.0/home.twig', 'demo-1.0/css/x.css']],
    ['', ['home.twig', 'css/x.css']],
    ['', ['demo/home.twig', 'other.css']],
    ['', ['css/a.css', 'css/b.css']],
    ['', ['a/theme/home.twig', 'a/theme/x.css']],
    ['', ['home.twig']],
    ['', []],
  ])('is %p', (folder, paths) => {
    expect(findThemeFolder(paths)).toBe(folder);
  });
});
