import { beforeEach, expect, test } from '@jest/globals';
import { register } from 'prom-client';
import { refusalOf as refusalOfStore } from '../../../services/engines/objects/s3/ask.ts';
import { refusalOf as refusalOfDatabase } from '../../../services/engines/sql/errors.ts';
import { logUnavailable, recordAvailable, recordUnavailable } from '../../../services/engines/unavailable.ts';

let lines: string[] = [];
const write = (about: object, words: string) =>
  lines.push(
    `${words}: ${(about as { request: string }).request} ${(about as { refused_as?: string }).refused_as ?? ''}`.trim(),
  );
logUnavailable({ warn: write, info: write } as unknown as Parameters<typeof logUnavailable>[0]);
beforeEach(() => {
  lines = [];
});

const fail = (request: string, code: string, refusedAs?: string) =>
  recordUnavailable({ engine: 'objects', request, cause: Object.assign(new Error('no'), { code }), refusedAs });

// rule: threat.41
test('a cause is logged once for a kind of request, until one of that kind succeeds', () => {
  for (let n = 0; n < 100; n++) fail('S3 put', 'AccessDenied', 'AccessDenied');
  fail('S3 get', 'AccessDenied', 'AccessDenied');
  fail('S3 put', 'ECONNREFUSED');
  recordAvailable('objects', 'S3 get');
  fail('S3 put', 'AccessDenied', 'AccessDenied');
  fail('S3 get', 'AccessDenied', 'AccessDenied');
  expect(lines).toEqual([
    'an engine refuses requests: S3 put AccessDenied',
    'an engine refuses requests: S3 get AccessDenied',
    'an engine cannot be reached: S3 put',
    'an engine responds again: S3 get',
    'an engine refuses requests: S3 get AccessDenied',
  ]);
});

// rule: threat.41
test('every failed request is counted, and every refusal by its code', async () => {
  const read = async () => {
    const text = await register.metrics();
    const value = (pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? 0);
    return [
      value(/^fieldstone_engine_unavailable_total\{engine="objects"\} (\d+)/m),
      value(/^fieldstone_engine_refusals_total\{engine="objects",code="QuotaExceeded"\} (\d+)/m),
    ];
  };
  const [failed = 0, refused = 0] = await read();
  for (let n = 0; n < 3; n++) fail('S3 put', 'QuotaExceeded', 'QuotaExceeded');
  fail('S3 put', 'ECONNREFUSED');
  expect(await read()).toEqual([failed + 4, refused + 3]);
});

test.each([
  ['AccessDenied', 'AccessDenied'],
  ['NoSuchBucket', 'NoSuchBucket'],
  ['SlowDown', undefined],
  ['InternalError', undefined],
])('a store that says %s refuses as %p', (code, refusedAs) => {
  expect(refusalOfStore(Object.assign(new Error('no'), { name: 'S3Error', code }))).toBe(refusedAs);
});

test('a store that cannot be reached refuses nothing', () => {
  expect(refusalOfStore(Object.assign(new Error('no'), { code: 'ECONNREFUSED' }))).toBeUndefined();
});

test.each([
  ['42501', '42501'],
  ['53100', '53100'],
  ['57P03', undefined],
  ['ECONNREFUSED', undefined],
])('a database that says %s refuses as %p', (code, refusedAs) => {
  expect(refusalOfDatabase({ code })).toBe(refusedAs);
});
