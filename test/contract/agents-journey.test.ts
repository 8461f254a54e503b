import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { auth, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { callback, sendConsent } from '../harness/agents.ts';
import { closeStack, eventually, stack } from '../harness/api.ts';
import { type DashboardClient, makeSignedIn } from '../harness/dashboard.ts';
import { makeUser } from '../harness/people.ts';

afterAll(closeStack);

const endpoint = new URL(`${stack.env['FIELDSTONE_URL']}/mcp`);

/** What a client of agents keeps; the "browser" allows everything that the authorization URL asks for. */
class Keeper implements OAuthClientProvider {
  code = '';
  #client: OAuthClientInformationMixed | undefined;
  #tokens: OAuthTokens | undefined;
  #verifier = '';
  readonly redirectUrl = callback;
  readonly clientMetadata = { client_name: 'Journey', redirect_uris: [callback], scope: 'admin' };
  readonly #browser: DashboardClient;

  constructor(browser: DashboardClient) {
    this.#browser = browser;
  }
  clientInformation = () => this.#client;
  saveClientInformation = (client: OAuthClientInformationMixed) => void (this.#client = client);
  tokens = () => this.#tokens;
  saveTokens = (tokens: OAuthTokens) => void (this.#tokens = tokens);
  saveCodeVerifier = (verifier: string) => void (this.#verifier = verifier);
  codeVerifier = () => this.#verifier;
  async redirectToAuthorization(url: URL): Promise<void> {
    const scopes = url.searchParams.get('scope')!.split(' ');
    const reply = await sendConsent(this.#browser, url.search, [
      ['decision', 'allow'],
      ['site', '*'],
      ...scopes.map((scope) => ['scope', scope] as const),
    ]);
    this.code = new URL(reply.headers.get('location')!).searchParams.get('code')!;
  }
}

test('an agent that knows only the URL signs in, writes, previews, publishes, rolls back, and restores a backup as a new site', async () => {
  const { client: browser } = await makeSignedIn(await makeUser({ administrator: true }));
  const keeper = new Keeper(browser);
  expect(await auth(keeper, { serverUrl: endpoint, scope: 'admin' })).toBe('REDIRECT');
  expect(await auth(keeper, { serverUrl: endpoint, authorizationCode: keeper.code })).toBe('AUTHORIZED');
  // a refresh works too
  expect(await auth(keeper, { serverUrl: endpoint })).toBe('AUTHORIZED');

  const agent = new Client({ name: 'journey', version: '1' });
  await agent.connect(new StreamableHTTPClientTransport(endpoint, { authProvider: keeper }) as never);
  const call = async (name: string, args: Record<string, unknown>) => {
    const reply = await agent.callTool({ name, arguments: args }, undefined, { timeout: 240_000 });
    if (reply.isError) throw new Error(JSON.stringify(reply.content));
    // biome-ignore lint/suspicious/noExplicitAny: tests look into results of every tool
    return reply.structuredContent as any;
  };
  const publish = async () => {
    const { job } = (await call('publish', { action: 'publish', site })).data;
    return eventually('the job ends', async () => {
      const { data } = await call('jobs_read', { action: 'get', uuid: job, query: { wait: 60 } });
      return data.finished_at && data;
    });
  };

  const site = `journey-${randomUUID().slice(0, 8)}`;
  await call('sites_write', { action: 'create', body: { name: 'Journey', slug: site } });
  const post = await call('content_write', {
    action: 'create',
    site,
    body: { title: 'First words', body_html: '<p>Written by an agent.</p>' },
  });
  const { id } = post.data;
  const preview = await call('content_check', { action: 'preview', site, id });
  expect(await (await fetch(preview.data.url)).text()).toContain('Written by an agent.');

  await call('content_write', { action: 'update', site, id, body: { status: 'published' } });
  const first = await publish();
  expect(first).toMatchObject({ status: 'succeeded' });
  const { url } = (await call('content_read', { action: 'get', site, id })).data;
  const page = async () => (await fetch(url)).text();
  await eventually('the post is live', async () => (await page()).includes('Written by an agent.'));

  await call('content_write', { action: 'update', site, id, body: { body_html: '<p>A mistake.</p>' } });
  await publish();
  await eventually('the mistake is live', async () => (await page()).includes('A mistake.'));
  await call('publish', { action: 'roll_back', site, release: first.result.release });
  await eventually('the first release is live', async () => (await page()).includes('Written by an agent.'));

  const backup = await call('backups_write', { action: 'create', site });
  expect(backup.data).toMatchObject({ kind: 'site', site });
  const copy = `${site}-copy`;
  const restore = { action: 'restore', id: backup.data.id, as: copy };
  const { confirmation } = await call('backups_destroy', restore);
  expect(confirmation.summary).toContain('restores the backup');
  const restored = await call('backups_destroy', { ...restore, confirm: confirmation.token });
  expect(restored.data).toMatchObject({ kind: 'site', site: { slug: copy } });
  const copied = await call('content_read', {
    action: 'get',
    site: copy,
    id: (await call('content_read', { action: 'list', site: copy })).data[0].id,
  });
  expect(copied.data.body_html).toBe('<p>A mistake.</p>');
  const log = await call('audit_read', { action: 'of_all', query: { operation: 'backups.restore' } });
  expect(log.data[0]).toMatchObject({ via: 'agent', agent: { name: 'Journey' } });
  await agent.close();
});
