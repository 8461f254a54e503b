import { randomUUID } from 'node:crypto';
import { createUser } from '../../services/features/users/service.ts';
import { makeKey, makeSite, publish, stackDatabase, type TestSite } from '../harness/api.ts';
import { makeIntegration, type TestIntegration } from '../harness/webhooks.ts';
import { amounts } from './amounts.ts';
import { crashingTemplate, slowTemplate } from './flood/templates.ts';

/** A tenant who requests as much as possible. */
export interface Greedy {
  /** Imports, checks facts, uploads, stores, lists and receives deliveries. */
  site: TestSite;
  factChecks: string[];
  integrations: TestIntegration[];
  slowSites: TestSite[];
  crashingSites: TestSite[];
}

/** A tenant with normal use. */
export interface Modest {
  site: TestSite;
  integration: TestIntegration;
  item: { id: string; slug: string };
}

async function put(site: TestSite, file: string, text: string): Promise<void> {
  const { status, text: reply } = await site.request('PUT', `/shell/file/${file}`, undefined, { raw: text });
  if (status >= 300) throw new Error(`The template was refused: ${status} ${reply}`);
}

/** Creates published posts and returns their ids and slugs. */
async function createPosts(site: TestSite, bodies: readonly string[]): Promise<{ id: string; slug: string }[]> {
  const items = bodies.map((body_html, n) => ({ title: `Post ${n}`, status: 'published', body_html }));
  const { status, data, text } = await site.request('POST', '/content/batch', { items });
  if (status !== 200) throw new Error(`The posts were refused: ${status} ${text}`);
  return data.results.map((result: { data: { id: string; slug: string } }) => result.data);
}

/** Returns a claim whose sources are pages of the slow source. */
function unprovenClaim(n: number, sourcePort: number): string {
  const links = Array.from({ length: 12 }, (_, link) => {
    const url = `http://127.0.0.1:${sourcePort}/claims/${n}/${link}.html`;
    return `<p>The survey of ${1900 + link} counted ${1200 + link} walkers (<a href="${url}">survey</a>).</p>`;
  });
  return links.join('');
}

const words = (count: number) => Array.from({ length: count }, (_, n) => `<p>Paragraph ${n}</p>`);

/** Creates a key of a new user, since fair shares are by user or by site. */
async function makeTenantKey(): Promise<string> {
  const email = `${randomUUID()}@example.com`;
  await createUser(stackDatabase(), email, 'admin');
  return makeKey(['admin'], ['*'], email);
}

/** `sourcePort` is that of the slow source. */
export async function makeGreedy(sourcePort: number): Promise<Greedy> {
  const key = await makeTenantKey();
  const site = await makeSite({}, key);
  const claims = Array.from({ length: amounts.factChecks }, (_, n) => unprovenClaim(n, sourcePort));
  const items = await createPosts(site, claims);
  const integrations = await Promise.all(
    Array.from({ length: amounts.integrations }, () => makeIntegration(site, 'create_post')),
  );
  const slowSites = await Promise.all([makeSite({}, key), makeSite({}, key)]);
  for (const slow of slowSites) {
    await createPosts(slow, words(amounts.slowPages));
    await put(slow, 'post.twig', slowTemplate);
  }
  const crashingSites = await Promise.all([makeSite({}, key), makeSite({}, key)]);
  for (const crashing of crashingSites) await put(crashing, 'home.twig', crashingTemplate);
  return { site, factChecks: items.map(({ id }) => id), integrations, slowSites, crashingSites };
}

/** The site is live. */
export async function makeModest(): Promise<Modest> {
  const site = await makeSite({}, await makeTenantKey());
  const items = await createPosts(site, words(30));
  await publish(site);
  return { site, integration: await makeIntegration(site, 'create_post'), item: items[0]! };
}
