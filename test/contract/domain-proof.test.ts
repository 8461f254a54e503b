import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { closeStack, eventually } from '../harness/api.ts';
import { type DnsServer, startDnsServer } from '../harness/dns-server.ts';
import { visit } from '../harness/edge.ts';
import { type OwnService, startOwnService } from '../harness/own-service.ts';

// The worker queries this test's DNS server over UDP; nothing between them is mocked (contract: Domains).
let dns: DnsServer;
let service: OwnService;
let sites = 0;

interface Proof {
  name: string;
  value: string;
  proven_at: string | null;
  aliases: { name: string; proven_at: string | null }[];
}

beforeAll(async () => {
  dns = await startDnsServer();
  service = await startOwnService({ FIELDSTONE_DOMAIN_PROOF: 'txt', FIELDSTONE_DNS_SERVERS: dns.address });
}, 200_000);

afterAll(async () => {
  await service?.stop();
  await dns?.[Symbol.asyncDispose]();
  await closeStack();
});

async function call(method: string, path: string, body?: object): Promise<{ slug: string; domain_proof: Proof }> {
  const reply = await fetch(`${service.gateway}/api/v1/sites${path}`, {
    method,
    headers: { 'X-API-Key': service.key, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const json = (await reply.json()) as { success: boolean; data: { slug: string; domain_proof: Proof } };
  if (!json.success) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(json)}`);
  return json.data;
}

/** Creates a site with its own domain; `look` returns what the edge serves there. */
async function makeSite(domain: string, aliases: string[] = []) {
  const { slug, domain_proof } = await call('POST', '', { name: `Proof ${++sites}`, domain, aliases });
  return {
    value: domain_proof.value,
    name: domain_proof.name,
    proof: async () => (await call('GET', `/${slug}`)).domain_proof,
    /** Setting the hosts again makes the worker check at once (docs/api.md, Domains). */
    lookAgain: () => call('PATCH', `/${slug}`, { domain, aliases }),
    look: async (host = domain) =>
      (await visit('/', { origin: service.env.FIELDSTONE_EDGE_URL!, headers: { host } })).text,
  };
}

const countAsked = (name: string) => dns.asked.udp.filter((one) => one === name).length;

/** Waits until the worker has queried a name once more than before. */
async function eventuallyAsked(name: string, run: () => Promise<unknown>): Promise<void> {
  const before = countAsked(name);
  await run();
  await eventually(`the worker asks for ${name}`, async () => countAsked(name) > before);
}

const unknown = 'There is no site or page';
const served = 'Not published yet';

// rule: threat.36
test('a missing record, then a wrong one, then the right one: only the last makes the edge serve the domain', async () => {
  const site = await makeSite('missing.example');
  await eventuallyAsked(site.name, async () => undefined);
  expect((await site.proof()).proven_at).toBeNull();

  dns.zone.set(site.name, [
    ['v=spf1 -all'],
    ['fieldstone-site=11111111-1111-4111-8111-111111111111'],
    [`${site.value} `],
  ]);
  await eventuallyAsked(site.name, site.lookAgain);
  // one more query proves that the previous response was evaluated
  await eventuallyAsked(site.name, site.lookAgain);
  expect((await site.proof()).proven_at).toBeNull();
  expect(await site.look()).toContain(unknown);

  dns.zone.set(site.name, [['v=spf1 -all'], [site.value]]);
  await site.lookAgain();
  await eventually('the domain is proven', async () => (await site.proof()).proven_at !== null);
  await eventually('the domain is served', async () => (await site.look()).includes(served));
});

test('a record of several strings among very many is found, each alias by a record of its own', async () => {
  const site = await makeSite('long.example', ['alias.example', 'other.example']);
  const noise = Array.from({ length: 12 }, (_item, index) => ['x'.repeat(200), String(index)]);
  const pieces = [site.value.slice(0, 20), site.value.slice(20)];
  dns.zone.set(site.name, [...noise, pieces]);
  dns.zone.set('_fieldstone.alias.example', [pieces]);
  await site.lookAgain();
  await eventually('the domain and one alias are proven', async () => {
    const { proven_at, aliases } = await site.proof();
    return proven_at !== null && aliases[0]!.proven_at !== null;
  });
  expect(dns.asked.tcp).toContain(site.name);
  expect((await site.proof()).aliases[1]).toEqual({ name: '_fieldstone.other.example', proven_at: null });
  await eventually('the alias leads to the domain', async () => {
    const reply = await visit('/a?b=c', {
      origin: service.env.FIELDSTONE_EDGE_URL!,
      headers: { host: 'alias.example' },
    });
    return reply.status === 301;
  });
  expect(await site.look('other.example')).toContain(unknown);
});

// rule: threat.36
test('an internationalised domain is asked for in its ASCII form', async () => {
  const site = await makeSite('xn--bcher-kva.example');
  expect(site.name).toBe('_fieldstone.xn--bcher-kva.example');
  dns.zone.set(site.name, [[site.value]]);
  await site.lookAgain();
  await eventually('the domain is served', async () => (await site.look()).includes(served));
});

// rule: threat.36
test.each(['SERVFAIL', 'REFUSED', 'silence', 'NXDOMAIN'] as const)(
  '%s takes no proven domain away, and proves none',
  async (response) => {
    const word = response.toLowerCase();
    const [proven, waiting] = [await makeSite(`proven-${word}.example`), await makeSite(`waiting-${word}.example`)];
    dns.zone.set(proven.name, [[proven.value]]);
    await proven.lookAgain();
    await eventually('the domain is proven', async () => (await proven.proof()).proven_at !== null);
    const { proven_at } = await proven.proof();

    dns.zone.set(proven.name, response);
    dns.zone.set(waiting.name, response);
    await proven.lookAgain();
    await eventuallyAsked(waiting.name, waiting.lookAgain);
    await eventuallyAsked(waiting.name, waiting.lookAgain);
    expect(await proven.proof()).toMatchObject({ proven_at });
    expect(await proven.look()).toContain(served);
    expect((await waiting.proof()).proven_at).toBeNull();
    expect(await waiting.look()).toContain(unknown);

    dns.zone.set(waiting.name, [[waiting.value]]);
    await waiting.lookAgain();
    await eventually('the domain is proven once DNS responds', async () => (await waiting.proof()).proven_at !== null);
  },
);
