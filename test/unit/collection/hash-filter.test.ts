import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createHashFilter } from '../../../services/features/collection/hash-filter.ts';
import { findHashes } from '../../../services/features/collection/references.ts';

const hash = (text: string) => createHash('sha256').update(text).digest('hex');

describe('the filter of hashes', () => {
  test('never denies a hash that was added, however many there are', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 300 }), fc.integer({ min: 0, max: 10 }), (texts, expected) => {
        const filter = createHashFilter(expected);
        for (const text of texts) filter.add(hash(text));
        expect(texts.every((text) => filter.has(hash(text)))).toBe(true);
      }),
    );
  });

  test('takes few others for added ones', () => {
    const filter = createHashFilter(20_000);
    for (let n = 0; n < 20_000; n++) filter.add(hash(`in ${n}`));
    let wrong = 0;
    for (let n = 0; n < 20_000; n++) if (filter.has(hash(`out ${n}`))) wrong++;
    expect(wrong).toBeLessThan(40);
  });
});

describe('hashes in texts', () => {
  test('are found wherever a JSON document has them', () => {
    const [a, b] = [hash('a'), hash('b')];
    expect(findHashes(JSON.stringify({ files: { '/': [a, 3] }, [b]: true }))).toEqual([a, b]);
  });
  test('are neither shorter nor longer', () => {
    expect(findHashes(`${hash('a').slice(1)} ${hash('a')}0 f${hash('a')}`)).toEqual([]);
  });
});
