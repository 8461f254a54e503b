import { expect, test } from '@jest/globals';
import type { Problem } from '../../../services/core/errors.ts';
import { proofDelayMs } from '../../../services/features/sites/domain-proof.ts';
import { requireAllowedHosts } from '../../../services/features/sites/hosts.ts';
import { createSiteBody } from '../../../services/features/sites/schema.ts';

const config = { url: 'https://CMS.example.com', edgeUrl: 'https://edge.example.com:8443' };

function pathsOf(domain: string | null, aliases: string[] = []): string[] {
  try {
    requireAllowedHosts({ domain, aliases }, config);
    return [];
  } catch (error) {
    return ((error as Problem).details ?? []).map(({ path }) => path);
  }
}

test('hosts of the service itself are no domain and no alias', () => {
  expect(pathsOf('edge.example.com')).toEqual(['domain']);
  expect(pathsOf('cms.example.com')).toEqual(['domain']);
  expect(pathsOf('www.example.com', ['a.example', 'edge.example.com'])).toEqual(['aliases.1']);
  expect(pathsOf('www.example.com', ['a.example'])).toEqual([]);
});

test('an alias is neither the domain nor twice in the list, and leads to a domain', () => {
  expect(pathsOf('a.example', ['a.example'])).toEqual(['aliases.0']);
  expect(pathsOf('a.example', ['b.example', 'b.example'])).toEqual(['aliases.1']);
  expect(pathsOf(null, ['b.example'])).toEqual(['aliases']);
});

// rule: threat.35
test.each([
  'EDGE.example.com',
  'edge.example.com.',
  'edge.example.com:8443',
  'edge%2eexample.com',
  'ｅdge.example.com',
  '127.1',
  '0x7f.1',
  '2130706433',
  '[::ffff:127.0.0.1]',
])('%s is another spelling of a host: refused as domain and as alias', (spelling) => {
  const base = { name: 'A site', domain: 'www.example.org' };
  expect(createSiteBody.safeParse({ ...base, domain: spelling }).success).toBe(false);
  expect(createSiteBody.safeParse({ ...base, aliases: [spelling] }).success).toBe(false);
});

test('a proof is looked for later and later, at least once an hour', () => {
  expect([0, 1, 2, 9, 10, 1000].map(proofDelayMs)).toEqual([5000, 10_000, 20_000, 2_560_000, 3_600_000, 3_600_000]);
});
