import { expect, test } from '@jest/globals';
import { createCollector } from '../../../../services/gateway/stages/collect.ts';

test('chunks of any size come together, in memory that was asked for before', () => {
  const held: number[] = [];
  const collector = createCollector(100_000, (bytes) => held.push(bytes));
  const chunks = [1, 5_000, 20_000, 0, 74_999].map((bytes, n) => Buffer.alloc(bytes, n + 1));
  for (const chunk of chunks) collector.write(chunk);
  expect(collector.bytes().equals(Buffer.concat(chunks))).toBe(true);
  expect(held).toEqual([16_384, 32_768, 100_000]);
});

test('a body of known length takes no more than that', () => {
  const held: number[] = [];
  const collector = createCollector(10, (bytes) => held.push(bytes));
  for (const byte of 'abcdefghij') collector.write(Buffer.from(byte));
  expect([collector.bytes().toString(), held]).toEqual(['abcdefghij', [10]]);
});

// rule: threat.8
test('a body in a million chunks takes no more than one in a single chunk', () => {
  const { buffer } = Buffer.alloc(64 * 1024);
  const collector = createCollector(2 ** 20);
  const before = process.memoryUsage().heapUsed;
  for (let n = 0; n < 2 ** 20; n++) collector.write(Buffer.from(buffer, n % 65_536, 1));
  globalThis.gc?.();
  expect(collector.bytes()).toHaveLength(2 ** 20);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(64 * 2 ** 20);
});

test('what may not be held is not written', () => {
  const collector = createCollector(100, () => {
    throw new Error('full');
  });
  expect(() => collector.write(Buffer.from('x'))).toThrow('full');
});
