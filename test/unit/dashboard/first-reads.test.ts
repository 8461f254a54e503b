import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { fetchOnce, forgetFirstReads, startFirstReads } from '../../../services/dashboard/app/first-reads.ts';

const me = 'http://localhost/dashboard/api/me';
const sites = 'http://localhost/dashboard/api/v1/sites';
let sent: string[];

beforeEach(() => {
  sent = [];
  jest.useFakeTimers();
  jest.spyOn(globalThis, 'fetch').mockImplementation((input) => {
    const url = input instanceof Request ? `${input.method} ${input.url}` : String(input);
    sent.push(url);
    return url.endsWith('/sites') && sent.length === 2
      ? Promise.reject(new TypeError('fetch failed'))
      : Promise.resolve(new Response(`${sent.length}`));
  });
  startFirstReads([me, sites]);
});
afterEach(() => {
  forgetFirstReads();
  jest.restoreAllMocks();
  jest.useRealTimers();
});

const read = async (url: string, method = 'GET') => (await fetchOnce(new Request(url, { method }))).text();

test('the first read of what the page names gets the response that is there, later ones are sent', async () => {
  expect(sent).toEqual([me, sites]);
  expect(await read(me)).toBe('1');
  expect(sent).toHaveLength(2);
  expect(await read(me)).toBe('3');
});

test('changes and reads that the page does not name are sent', async () => {
  expect(await read(me, 'POST')).toBe('3');
  expect(await read(`${sites}?page=2`)).toBe('4');
  expect(await read(me)).toBe('1');
});

test('a failed request fails the read that takes it, and not the next one', async () => {
  await expect(read(sites)).rejects.toThrow('fetch failed');
  expect(await read(sites)).toBe('3');
});

test('responses that no read has taken are forgotten when the session changes', async () => {
  forgetFirstReads();
  expect(await read(me)).toBe('3');
});

test('responses that no read has taken are forgotten after ten seconds', async () => {
  jest.advanceTimersByTime(10_000);
  expect(await read(me)).toBe('3');
});
