import { describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { measure, sniff } from '../../../services/features/media/sniff.ts';

const kindOf = async (bytes: Buffer | string, filename = 'x') => sniff(Buffer.from(bytes), filename);

describe('sniff', () => {
  test.each(['jpeg', 'png', 'webp', 'gif', 'avif', 'tiff'] as const)(
    'knows %s as an image to be processed',
    async (format) => {
      const bytes = await sharp({ create: { width: 5, height: 5, channels: 3, background: 'red' } })
        .toFormat(format)
        .toBuffer();
      expect(await kindOf(bytes, 'words.txt')).toEqual({
        kind: 'image',
        mime_type: `image/${format}`,
        work: 'variants',
      });
    },
  );

  test('knows SVG behind whatever may come before its root', async () => {
    for (const before of [
      '',
      '\ufeff',
      ' \n',
      '<?xml version="1.0"?>',
      '<!-- a --><!-- b -->',
      '<!DOCTYPE svg [<!ENTITY a ">">]>',
    ]) {
      expect((await kindOf(`${before}<svg/>`)).mime_type).toBe('image/svg+xml');
    }
    expect((await kindOf('<svgx/>')).mime_type).toBe('text/plain; charset=utf-8');
  });

  test('takes only harmless types from the name', async () => {
    expect((await kindOf('a,b', 'a.csv')).mime_type).toBe('text/csv; charset=utf-8');
    expect((await kindOf('x', 'a.js')).mime_type).toBe('text/plain; charset=utf-8');
    expect((await kindOf('x', 'a.html')).mime_type).toBe('text/plain; charset=utf-8');
    expect((await kindOf(Buffer.from([1, 0, 2, 0]), 'a.jpg')).mime_type).toBe('application/octet-stream');
  });

  test('is through with hostile beginnings at once', async () => {
    const size = 16 * 1024;
    const fill = (unit: string) => unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
    const beginnings = [
      '<!---->',
      '<!-- --> -->',
      '<!doctype []',
      '<!doctype [[',
      '<??>',
      '<!',
      ' \u0000',
      '[]',
      '<a:',
    ];
    const startedAt = process.cpuUsage();
    for (const unit of beginnings) for (const start of ['', '<!doctype ', '<!--']) await kindOf(start + fill(unit));
    // milliseconds if the work is linear, minutes if not: the bound only distinguishes these
    expect(process.cpuUsage(startedAt).user / 1000).toBeLessThan(5000);
  });
});

describe('measure', () => {
  test('tells the size as shown, turned where the picture says so', async () => {
    const upright = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'red' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect(measure(upright)).toEqual({ width: 20, height: 30 });
  });

  test('is null for what cannot be read', () => {
    expect(measure(Buffer.from('ffd8ffe0', 'hex'))).toBeNull();
    expect(measure(Buffer.alloc(0))).toBeNull();
    expect(measure(Buffer.alloc(1000, 255))).toBeNull();
  });
});
