import assert from 'node:assert/strict';
import fc from 'fast-check';
import sharp from 'sharp';
import { Problem } from '../../../services/core/errors.ts';
import { readUploadForm } from '../../../services/features/media/multipart.ts';
import { measure, sniff } from '../../../services/features/media/sniff.ts';
import { parseMetadataHeader } from '../../../services/features/media/uploads/metadata.ts';
import { attempt, attemptAsync, damaged, damagedText, pieced, target } from '../target.ts';
import { uploadInput } from '../upload.ts';

const picture = sharp({ create: { width: 9, height: 7, channels: 3, background: '#789' } });
const ftyp = (brand: string) =>
  Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from(`ftyp${brand}`), Buffer.alloc(12)]);
const heads = [
  await picture.clone().jpeg().toBuffer(),
  await picture.clone().png().toBuffer(),
  await picture.clone().webp().toBuffer(),
  await picture.clone().gif().toBuffer(),
  await picture.clone().tiff().toBuffer(),
  await picture.clone().avif().toBuffer(),
  ...['isom', 'qt  ', 'avif', 'heic', 'M4A '].map(ftyp),
  Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d', 'hex'),
  Buffer.from('BM\x36\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x09\0\0\0\x07\0\0\0', 'latin1'),
  Buffer.from([0, 0, 1, 0, 1, 0, 16, 16, 0, 0, 1, 0, 32, 0]),
  ...[
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="7"></svg>',
    '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "b">]><svg/>',
  ].map((text) => Buffer.from(text)),
  ...[
    '<!doctype html><script>1</script>',
    '  <!-- c --><HTML>',
    '%PDF-1.7',
    'PK\x03\x04',
    '\0asm\x01\0\0\0',
    'plain words',
    'a,b\n1,2',
  ].map((text) => Buffer.from(text)),
  Buffer.from('\ufeff<html>', 'utf16le'),
];
/** Types that browsers execute, whatever was uploaded. */
const scripts = /javascript|ecmascript|wasm|xhtml|^text\/css/;

const metadataSeeds = [
  `site ${btoa('s')},filename ${btoa('a.png')},alt ${btoa('x')},decorative ${btoa('true')}`,
  `site ${btoa('s')},filename ${btoa('a\0b')},alt ${btoa('\0')}`,
  `site ${btoa('s')},alt ${btoa('\xff\xfe')}`,
];

const boundary = 'xYz';
const forms = [
  `--${boundary}\r\nContent-Disposition: form-data; name="alt"\r\n\r\nA stone\r\n--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nsome bytes\r\n--${boundary}--\r\n`,
  `--${boundary}\r\nContent-Disposition: form-data; name="decorative"\r\n\r\ntrue\r\n--${boundary}--\r\n`,
  `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename*=UTF-8''%e2%82%ac.txt\r\nContent-Transfer-Encoding: base64\r\n\r\nAAAA\r\n--${boundary}\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\nx\r\n--${boundary}--`,
];
const formPieces = [
  `--${boundary}`,
  '\r\n',
  '\r\n\r\n',
  '--',
  'Content-Disposition: form-data; name="file"; filename="a"',
  'Content-Disposition: form-data; name="alt"',
  'Content-Type: text/plain',
  'x',
  '"',
  ';',
  '\0',
];
const contentTypes = [
  `multipart/form-data; boundary=${boundary}`,
  `multipart/form-data; boundary="${boundary}"`,
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/mixed; boundary=xYz',
];

export const mediaTargets = [
  target({
    name: 'sniffed bytes',
    inputs: fc.tuple(
      fc.oneof(
        damaged(heads),
        fc.uint8Array({ maxLength: 120 }).map((bytes) => Buffer.from(bytes)),
      ),
      fc.constantFrom('a.txt', 'a.html', 'a.js', 'a.svg', 'a.csv', 'a.png', 'a', '.json'),
    ),
    async check([head, filename]) {
      const { kind, mime_type, work } = await sniff(head, filename);
      assert.ok(!scripts.test(mime_type), mime_type);
      assert.match(mime_type, /^[a-z]+\/[a-z0-9.+-]+(?:; charset=utf-8)?$/);
      assert.equal(
        kind === 'image',
        mime_type.startsWith('image/') && (work === 'variants' || work === null) && kind === 'image',
      );
      assert.equal(kind === 'video', mime_type.startsWith('video/'));
      const size = measure(head);
      if (size)
        assert.ok(Number.isInteger(size.width) && Number.isInteger(size.height) && size.width > 0 && size.height > 0);
    },
    pump: {
      pieces: ['<!--', '-->', '<?xml', '?>', '<!DOCTYPE', '[', ']', '<', 'svg', ' ', '\0', 'a:'],
      parse: (text) => sniff(Buffer.from(text.slice(0, 16_384)), 'a.txt'),
    },
  }),
  target({
    name: 'measured header',
    inputs: damaged(heads, 12),
    check(head) {
      const size = measure(head);
      if (size)
        assert.ok(Number.isInteger(size.width) && size.width > 0 && Number.isInteger(size.height) && size.height > 0);
    },
  }),
  target({
    name: 'tus metadata',
    inputs: fc.oneof(
      damagedText(metadataSeeds),
      pieced(['site', 'filename', 'alt', 'decorative', ' ', ',', 'cw==', 'AA==', '7aCA', '=', '__proto__'], 12),
      fc.uint8Array({ maxLength: 40 }).map((bytes) => `site cw==,alt ${Buffer.from(bytes).toString('base64')}`),
    ),
    check(header) {
      const metadata = attempt(() => parseMetadataHeader(header), Problem);
      if (metadata === null) return;
      for (const value of [metadata.site, metadata.filename, metadata.alt ?? ''])
        assert.ok(!value.includes('\0') && value.isWellFormed());
      assert.ok(metadata.decorative === undefined || typeof metadata.decorative === 'boolean');
    },
    pump: {
      pieces: ['a', ' ', ',', '=', 'QQ=='],
      parse: (header) => attempt(() => parseMetadataHeader(header), Problem),
    },
  }),
  target({
    name: 'multipart form',
    inputs: fc.tuple(
      fc.oneof(
        { weight: 8, arbitrary: fc.constant(contentTypes[0]!) },
        { weight: 1, arbitrary: fc.constantFrom(...contentTypes) },
      ),
      fc.oneof(
        damaged(forms),
        pieced(formPieces).map((text) => Buffer.from(text)),
      ),
      fc.integer({ min: 1, max: 300 }),
    ),
    async check([type, data, chunkBytes]) {
      const form = await attemptAsync(() => readUploadForm(uploadInput(type, data, chunkBytes)), Problem);
      if (form === null) return;
      assert.deepEqual(Object.keys(Object.prototype), []);
      assert.match(form.hash, /^[0-9a-f]{64}$/);
      for (const [name, value] of Object.entries(form.value)) {
        if (typeof value === 'string') assert.ok(!value.includes('\0') && value.isWellFormed(), name);
      }
    },
  }),
];
