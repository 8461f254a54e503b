import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import sharp from 'sharp';
import { measure, sniff } from '../../../services/features/media/sniff.ts';
import { sized } from '../../harness/long-form.ts';

const hex = (text: string) => Buffer.from(text, 'hex');
const signatures = [
  hex('ffd8ffe0'),
  hex('89504e470d0a1a0a0000000d49484452'),
  Buffer.from('GIF89a'),
  Buffer.from('RIFF\0\0\0\0WEBPVP8X'),
  hex('0000000c6a5020200d0a870a'),
  hex('0000000c4a584c200d0a870a'),
  hex('0000001c6674797061766966'),
  hex('0000001c6674797068656963'),
  hex('000000186674797069736f6d'),
  hex('49492a00'),
  hex('4d4d002a'),
  hex('3026b2758e66cf11a6d900aa0062ce6c'),
  hex('1a45dfa3'),
  hex('504b0304'),
  Buffer.from('8BPS'),
  Buffer.from('OggS'),
  Buffer.from('icns'),
  hex('00000100'),
  Buffer.from('BM'),
  Buffer.from('%PDF-'),
  Buffer.from('ID3'),
  Buffer.alloc(0),
];
const header = fc
  .tuple(
    fc.constantFrom(...signatures),
    fc.array(
      fc.oneof(
        fc.uint8Array({ maxLength: 40 }),
        fc.constantFrom(hex('00000000'), hex('ffffffff'), hex('0000000000000001')),
      ),
      {
        maxLength: 20,
      },
    ),
  )
  .map(([signature, rest]) => Buffer.concat([signature, ...rest]));

async function judge(bytes: Buffer): Promise<void> {
  const { kind, mime_type } = await sniff(bytes, 'x.jpg');
  expect(['image', 'video', 'file']).toContain(kind);
  expect(mime_type).toMatch(/^[a-z]+\/[\w.+-]+(; charset=utf-8)?$/);
  const size = measure(bytes);
  if (size) expect(size.width * size.height).toBeGreaterThan(0);
}

// rule: threat.13
test('whatever follows a signature is judged, and nothing hangs or throws', async () => {
  await fc.assert(fc.asyncProperty(header, judge), { numRuns: sized(300, 3000) });
});

test('sound pictures with broken bytes in their headers are judged too', async () => {
  const image = sharp({ create: { width: 9, height: 7, channels: 3, background: 'red' } });
  const sound = await Promise.all(
    (['jpeg', 'png', 'webp', 'gif', 'avif', 'tiff'] as const).map((format) =>
      image.clone().toFormat(format).toBuffer(),
    ),
  );
  const broken = fc
    .tuple(fc.constantFrom(...sound), fc.nat(400), fc.uint8Array({ minLength: 1, maxLength: 8 }))
    .map(([bytes, at, noise]) => {
      const copy = Buffer.from(bytes);
      Buffer.from(noise).copy(copy, at % copy.length);
      return copy;
    });
  await fc.assert(fc.asyncProperty(broken, judge), { numRuns: sized(200, 2000) });
});
