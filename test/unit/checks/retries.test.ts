import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';

const folder = path.resolve('test');
const suites = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts') && !file.endsWith(path.join('checks', 'retries.test.ts')))
  .map((file) => ({ file, source: readFileSync(path.join(folder, file), 'utf8') }));

test('a failed test runs again only in suites that kill processes', () => {
  const retried = suites.filter(({ source }) => /harness\/retry\.ts|retryTimes/.test(source));
  expect(retried.length).toBeGreaterThan(0);
  expect(retried.filter(({ source }) => !/SIGKILL|\.kill\(/.test(source)).map(({ file }) => file)).toEqual([]);
});
