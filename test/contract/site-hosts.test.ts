import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createLogger } from '../../services/core/log.ts';
import { checkDomainProofs } from '../../services/features/sites/domain-proof.ts';
import { closeStack, eventually, makeSite, stackDatabase, type TestSite } from '../harness/api.ts';
import { makeEdgeSite, visit } from '../harness/edge.ts';
import { startRole } from '../harness/role.ts';

afterAll(closeStack);

const fresh = () => `h${randomUUID().slice(0, 13)}.example`;
const log = createLogger('test', 'silent');

const patch = (site: TestSite, body: object) => site.request('PATCH', '', body);

describe('aliases', () => {
  test('are empty at first, kept in their order, and replaced as a whole', async () => {
    const [domain, one, two, three] = [fresh(), fresh(), fresh(), fresh()];
    const site = await makeSite({ domain });
    expect((await site.request('GET', '')).data).toMatchObject({ domain, aliases: [], domain_proof: null });
    expect((await patch(site, { aliases: [two, one] })).data.aliases).toEqual([two, one]);
    expect((await patch(site, { name: 'Other' })).data.aliases).toEqual([two, one]);
    expect((await patch(site, { aliases: [three] })).data.aliases).toEqual([three]);
    const made = await makeSite({ domain: one, aliases: [two] });
    expect((await made.request('GET', '')).data.aliases).toEqual([two]);
    expect((await patch(made, (await made.request('GET', '')).data)).status).toBe(200);
  });

  test.each([
    ['21 of them', () => Array.from({ length: 21 }, fresh)],
    ['one in capitals', () => [fresh().toUpperCase()]],
    ['one with a port', () => [`${fresh()}:80`]],
    ['an IP address', () => ['127.0.0.1']],
    ['one twice', () => Array(2).fill(fresh())],
    ['no list', () => fresh()],
  ])('%s: 422', async (_what, aliases) => {
    const site = await makeSite({ domain: fresh() });
    const reply = await patch(site, { aliases: aliases() });
    expect([reply.status, reply.error.code]).toEqual([422, 'validation_failed']);
    expect(reply.error.details[0].path).toMatch(/^aliases/);
  });

  test('20 are allowed; without a domain they have nothing to lead to', async () => {
    const site = await makeSite({ domain: fresh() });
    expect((await patch(site, { aliases: Array.from({ length: 20 }, fresh) })).data.aliases).toHaveLength(20);
    expect((await patch(site, { domain: null })).error.details[0].path).toBe('aliases');
    expect((await patch(site, { domain: null, aliases: [] })).status).toBe(200);
  });

  test('lead to the domain with 301, path and query kept, within a second, and are gone when taken off', async () => {
    const site = await makeEdgeSite({ files: { '/': { body: 'home' } } });
    const alias = fresh();
    await stackDatabase().query(`UPDATE sites SET aliases = ARRAY[$2::TEXT] WHERE id = $1`, [site.id, alias]);
    await stackDatabase().query('INSERT INTO site_hosts (host, site_id) VALUES ($1, $2)', [alias, site.id]);
    const headers = { host: `${alias.toUpperCase()}.:8080` };
    for (const path of ['/', '/a/b?x=1&y=%2f', '//other.example/', '/a%2Fb%252f', '/%C3%A9', '/healthz', '/sites/x/']) {
      const reply = await visit(path, { headers, edge: 0 });
      expect([reply.status, reply.headers.location]).toEqual([301, `https://${site.domain}${path}`]);
    }
    await stackDatabase().query('DELETE FROM site_hosts WHERE host = $1', [alias]);
    await eventually('the alias is nobody’s', async () => (await visit('/', { headers, edge: 0 })).status === 404);
  });
});

describe('a host belongs to one site', () => {
  test('a domain and an alias in use by another site are 409, for domain and alias', async () => {
    const [domain, alias] = [fresh(), fresh()];
    const site = await makeSite({ domain, aliases: [alias] });
    const other = await makeSite({ domain: fresh() });
    for (const host of [domain, alias])
      for (const body of [{ domain: host }, { aliases: [host] }]) {
        const reply = await patch(other, body);
        expect([reply.status, reply.error.code]).toEqual([409, 'domain_taken']);
      }
    await expect(makeSite({ domain: alias })).rejects.toThrow('409');
    expect((await patch(site, { domain: alias, aliases: [domain] })).status).toBe(200);
    await patch(site, { aliases: [] });
    expect((await patch(other, { aliases: [domain] })).status).toBe(200);
    await site.request('DELETE', '');
    expect((await patch(other, { domain: alias })).status).toBe(200);
  });

  // rule: threat.36
  test('twelve sites that ask for one host at once, half as domain and half as alias: one has it', async () => {
    const host = fresh();
    const sites = await Promise.all(Array.from({ length: 12 }, () => makeSite({ domain: fresh() })));
    const replies = await Promise.all(
      sites.map((site, n) => patch(site, n % 2 === 0 ? { domain: host } : { aliases: [host] })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(11).fill(409)]);
  });

  test('a domain that an earlier version gave up without a trace is free', async () => {
    const [domain, site, other] = [fresh(), await makeSite({ domain: fresh() }), await makeSite()];
    await stackDatabase().query('INSERT INTO site_hosts (host, site_id) VALUES ($1, $2)', [domain, site.id]);
    expect((await patch(other, { domain })).status).toBe(200);
  });

  test('a domain that an earlier version set without a trace is in use', async () => {
    const { domain } = await makeEdgeSite();
    const reply = await patch(await makeSite(), { domain });
    expect([reply.status, reply.error.code]).toEqual([409, 'domain_taken']);
  });
});

test('a redirect to an alias of its own site that would come back is a loop', async () => {
  const site = await makeSite({ domain: fresh(), aliases: [fresh()] });
  const { data } = await site.request('GET', '');
  const reply = await site.request('POST', '/redirects', { from: '/a', to: `https://${data.aliases[0]}/a` });
  expect([reply.status, reply.error?.details[0].path]).toEqual([422, 'to']);
});

describe('the service’s own hosts', () => {
  const own = fresh();
  const origins = { FIELDSTONE_URL: `https://cms.${own}`, FIELDSTONE_EDGE_URL: `https://edge.${own}` };

  // rule: threat.35
  test('are refused as domain and alias', async () => {
    await using gateway = await startRole('gateway', origins);
    const site = await makeSite({ domain: fresh() });
    const ask = async (body: object) => {
      const headers = { 'X-API-Key': site.key, 'Content-Type': 'application/json' };
      const url = `${gateway.url}/api/v1/sites/${site.slug}`;
      return (await fetch(url, { method: 'PATCH', headers, body: JSON.stringify(body) })).status;
    };
    for (const host of [`cms.${own}`, `edge.${own}`]) {
      expect(await ask({ domain: host })).toBe(422);
      expect(await ask({ aliases: [host] })).toBe(422);
    }
    expect(await ask({ domain: `www.${own}` })).toBe(200);
  });

  // rule: threat.35
  test('show every site below /sites/, also where a row from before the rule names them', async () => {
    await using edge = await startRole('edge', origins);
    const site = await makeEdgeSite({ files: { '/': { body: 'tenant' }, '/sites/x/': { body: 'forged' } } });
    const other = await makeEdgeSite({ files: { '/': { body: 'other tenant' } } });
    await stackDatabase().query('UPDATE sites SET domain = $2 WHERE id = $1', [site.id, `edge.${own}`]);
    for (const host of [`edge.${own}`, `EDGE.${own}.:443`, `edge%2E${own}`]) {
      const at = { origin: edge.url, headers: { host } };
      expect((await visit(`${other.base}/`, at)).text).toBe('other tenant');
      expect((await visit('/', at)).status).toBe(404);
      expect((await visit('/sites/x/', at)).status).toBe(404);
    }
  });
});

describe('with FIELDSTONE_DOMAIN_PROOF=txt', () => {
  const proof = { FIELDSTONE_DOMAIN_PROOF: 'txt' };

  async function recordOf(gateway: string, site: TestSite) {
    const reply = await fetch(`${gateway}/api/v1/sites/${site.slug}`, { headers: { 'X-API-Key': site.key } });
    const { data } = (await reply.json()) as { data: { domain_proof: Record<string, unknown> & { value: string } } };
    return data.domain_proof;
  }

  // rule: threat.36
  test('a domain is served once its record was seen, and stays served when DNS fails', async () => {
    await using gateway = await startRole('gateway', proof);
    await using edge = await startRole('edge', proof);
    const [domain, alias] = [fresh(), fresh()];
    const site = await makeSite({ domain, aliases: [alias] });
    const look = async (host: string) => (await visit('/', { origin: edge.url, headers: { host } })).text;
    const before = await recordOf(gateway.url, site);
    expect(before).toEqual({
      name: `_fieldstone.${domain}`,
      value: `fieldstone-site=${site.id}`,
      proven_at: null,
      aliases: [{ name: `_fieldstone.${alias}`, proven_at: null }],
    });
    expect(await look(domain)).toContain('There is no site or page');

    const zone: Record<string, string[]> = {
      [`_fieldstone.${domain}`]: ['v=spf1 -all', `fieldstone-site=${randomUUID()}`],
    };
    const check = (read: (name: string) => Promise<string[]>) => checkDomainProofs(stackDatabase(), read, log);
    // before all hosts that other tests have left waiting
    const due = () =>
      stackDatabase().query(`UPDATE site_hosts SET check_at = '2000-01-01T00:00:00Z' WHERE site_id = $1`, [site.id]);
    await due();
    await check(async (name) => zone[name] ?? []);
    expect((await recordOf(gateway.url, site)).proven_at).toBeNull();

    zone[`_fieldstone.${domain}`]!.push(before.value);
    await check(async (name) => zone[name] ?? []);
    expect((await recordOf(gateway.url, site)).proven_at).toBeNull(); // not due again yet
    await due();
    await eventually('the record is seen', async () => {
      await check(async (name) => zone[name] ?? []);
      return (await recordOf(gateway.url, site)).proven_at !== null;
    });
    await eventually('the domain is served', async () => (await look(domain)).includes('Not published yet'));
    expect(await look(alias)).toContain('There is no site or page');

    await due();
    await check(() => Promise.reject(new Error('SERVFAIL')));
    expect((await recordOf(gateway.url, site)).proven_at).not.toBeNull();
    expect(await look(domain)).toContain('Not published yet');

    // another site with the host must prove it again
    await patch(site, { domain: fresh(), aliases: [] });
    const next = await makeSite({ domain });
    expect((await recordOf(gateway.url, next)).proven_at).toBeNull();
  });
});
