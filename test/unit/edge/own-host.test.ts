import { expect, test } from '@jest/globals';
import type { Db } from '../../../services/core/db.ts';
import { createPointerAges } from '../../../services/edge/pointers.ts';
import { createSiteDirectory } from '../../../services/edge/sites.ts';
import { normaliseHost } from '../../../services/edge/target.ts';

const ownHosts = new Set(['edge.example.com', 'cms.example.com', '127.0.0.1']);
const live = { id: 'a', slug: 'a', manifest_hash: 'h', proven: false };

/** Creates a database in which every requested host is some site's domain: rows from before the rule. */
function createDirectory(domainProof: 'off' | 'txt' = 'off', proven: string[] = []) {
  const asked: string[] = [];
  const db = {
    async query(sql: string, [hosts]: readonly string[][] = []) {
      if (!sql.includes('FROM sites')) return [];
      asked.push(...hosts!);
      return hosts!.map((domain) => ({ ...live, domain, proven: proven.includes(domain) }));
    },
  } as Db;
  const rules = { ownHosts, domainProof };
  const options = { rules, ages: createPointerAges(60_000), onFailure: () => undefined };
  return { directory: createSiteDirectory(db, options), asked };
}

// rule: threat.35
test.each([
  'edge.example.com',
  'EDGE.Example.com',
  'edge.example.com.',
  'edge.example.com:8081',
  'edge%2Eexample.com',
  'cms.example.com:443',
  '127.0.0.1:8081',
  '127.1',
  '0x7f.1:8081',
  '2130706433',
  '[::ffff:127.0.0.1]:8081',
])('the host %s is the service’s own: no site has it, whatever its row says', async (header) => {
  const { directory, asked } = createDirectory();
  const host = normaliseHost(header);
  expect(await directory.byHost(host)).toBeNull();
  expect(directory.isKnownHost(host)).toBe(false);
  expect(asked).toEqual([]);
});

test('another host is served to the site that has it', async () => {
  const { directory } = createDirectory();
  expect(await directory.byHost('www.example.org')).toMatchObject({ site: { domain: 'www.example.org' } });
});

test('with proofs asked for, only a proven host is served', async () => {
  const { directory } = createDirectory('txt', ['proven.example']);
  expect(await directory.byHost('other.example')).toBeNull();
  expect(await directory.byHost('proven.example')).toMatchObject({ site: { domain: 'proven.example' } });
});
