import { describe, expect, test } from '@jest/globals';
import { chooseCoding, readAcceptEncoding } from '../../../services/edge/encoding.ts';

const choose = (header: string | undefined, worth = true) => chooseCoding(readAcceptEncoding(header), worth);

describe('negotiation of the content coding', () => {
  test.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['*', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.4, gzip;q=0.8', 'gzip'],
    ['br;q=0, gzip;q=0', 'identity'],
    ['*;q=0, gzip', 'gzip'],
    ['*;q=0, identity', 'identity'],
    ['identity;q=1, br;q=0.5', 'identity'],
    ['identity;q=0, gzip', 'gzip'],
    ['zstd, deflate', 'identity'],
    ['identity;q=0', undefined],
    ['*;q=0', undefined],
    [',,;;=,q', 'identity'],
  ])('%p is answered with %p', (header, coding) => {
    expect(choose(header)).toBe(coding);
  });

  test('a body not worth compressing goes out as it is', () => {
    expect(choose('br, gzip', false)).toBe('identity');
  });

  test('a body not worth compressing is compressed for a client that refuses identity', () => {
    expect(choose('br, identity;q=0', false)).toBe('br');
  });

  test('the same header is answered the same when remembered', () => {
    expect(choose('gzip;q=0.7, br;q=0.1')).toBe(choose('gzip;q=0.7, br;q=0.1'));
  });
});
