import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { Db } from '../../../services/core/db.ts';
import type { Site } from '../../../services/core/http.ts';
import { requireNoLoopOnDomain } from '../../../services/features/redirects/service.ts';

const site = { id: 'site', slug: 'site', domain: 'site.example', aliases: ['www.site.example'] } as unknown as Site;
const config = { edgeUrl: 'https://edge.example' };

function check(redirects: readonly [from: string, to: string][]) {
  const rows = redirects.map(([from_path, to_url], n) => ({ id: String(n), from_path, to_url, status: 301 }));
  const db = { query: async () => rows } as unknown as Db;
  return requireNoLoopOnDomain({ db, site, config });
}

test('a loop through the new domain or its alias is refused with the rule that begins it', async () => {
  await expect(check([['/a', 'https://site.example/a/']])).rejects.toMatchObject({
    details: [{ path: 'domain', message: expect.stringContaining('from /a to https://site.example/a/') }],
  });
  const long: [string, string][] = [
    ['/a', 'https://www.site.example/b'],
    ['/b', '/c'],
    ['/c', '/a'],
  ];
  await expect(check(long)).rejects.toMatchObject({ code: 'validation_failed' });
  await check([
    ['/a', 'https://site.example/b'],
    ['/b', 'https://elsewhere.example/a'],
  ]);
});

// rule: threat.26
test('thousands of redirects that end in one long chain are looked at with room for other requests', async () => {
  const chain = Array.from({ length: 98 }, (_, n): [string, string] => [`/c${n}`, `/c${n + 1}`]);
  const rules = Array.from({ length: 5_000 }, (_, n): [string, string] => [`/r${n}`, 'https://site.example/c0']);
  let others = 0;
  let isDone = false;
  const otherRequests = (async () => {
    for (; !isDone; others++) await setImmediate();
  })();
  await check([...chain, ...rules]);
  isDone = true;
  await otherRequests;
  expect(others).toBeGreaterThanOrEqual(10);
});
