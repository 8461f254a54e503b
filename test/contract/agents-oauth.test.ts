import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { afterAll, describe, expect, test } from '@jest/globals';
import { verifyAccessToken } from '../../services/features/agents/index.ts';
import { setUserActive } from '../../services/features/users/index.ts';
import {
  authorizeQuery,
  callback,
  connectAgent,
  makePkce,
  openConsent,
  postForm,
  register,
  sendConsent,
} from '../harness/agents.ts';
import { closeStack, makeSite, request, stack, stackDatabase } from '../harness/api.ts';
import { makeSignedIn } from '../harness/dashboard.ts';
import { makeMember, makeUser } from '../harness/people.ts';
import { startRole } from '../harness/role.ts';

afterAll(closeStack);

const origin = stack.env['FIELDSTONE_URL']!;
const resource = `${origin}/mcp`;
const verify = (token: string) => verifyAccessToken(stackDatabase(), token, resource);
const refreshWith = (clientId: string, token: string, more = {}) =>
  postForm('/oauth/token', { grant_type: 'refresh_token', client_id: clientId, refresh_token: token, ...more });

/** A code that a new user allowed a new client, with what exchanges it. */
async function makeCode(more: Record<string, string> = {}) {
  const { user, client } = await makeSignedIn(await makeUser({ administrator: true }));
  const clientId = (await register()).json.client_id as string;
  const { verifier, challenge } = makePkce();
  const query = authorizeQuery(clientId, challenge, { scope: 'content:read', ...more });
  const form = [
    ['decision', 'allow'],
    ['scope', 'content:read'],
    ['site', '*'],
  ] as const;
  const location = new URL((await sendConsent(client, query, form)).headers.get('location')!);
  const code = location.searchParams.get('code')!;
  const exchange = (changes: Record<string, string> = {}, gateway = 0) =>
    postForm(
      '/oauth/token',
      {
        grant_type: 'authorization_code',
        code,
        client_id: clientId,
        redirect_uri: callback,
        code_verifier: verifier,
        ...changes,
      },
      gateway,
    );
  return { user, client, clientId, location, exchange };
}

describe('metadata', () => {
  test('leads from the agent endpoint to the authorization server and names what it supports', async () => {
    const resourceDocument = await request('GET', '//.well-known/oauth-protected-resource/mcp');
    expect(resourceDocument.json).toMatchObject({ resource, authorization_servers: [origin] });
    expect(resourceDocument.json.scopes_supported).not.toContain('admin');
    const server = await request('GET', '//.well-known/oauth-authorization-server');
    expect(server.json).toMatchObject({
      issuer: origin,
      code_challenge_methods_supported: ['S256'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      client_id_metadata_document_supported: true,
    });
    expect(server.headers.get('access-control-allow-origin')).toBe('*');
  });
});

describe('registration', () => {
  test('returns a public client, whatever way to authenticate it asks for', async () => {
    const { status, json } = await register({ token_endpoint_auth_method: 'client_secret_basic' });
    expect([status, json.token_endpoint_auth_method, json.client_secret]).toEqual([201, 'none', undefined]);
  });

  test.each([
    ['plain http of another host', ['http://example.com/callback']],
    ['a scheme that runs code', ['javascript:alert(1)']],
    ['a fragment', ['https://example.com/#here']],
    ['a user name', ['https://bank.example@evil.example/']],
    ['no redirect URI', []],
  ])('refuses %s', async (_, redirect_uris) => {
    const { status, json } = await register({ redirect_uris });
    expect([status, json.error]).toEqual([400, 'invalid_client_metadata']);
  });

  test('is limited by client address, and its clients expire', async () => {
    await using gateway = await startRole('gateway', { FIELDSTONE_RATE_LIMIT_AGENT_REGISTRATION: '2' });
    const attempt = () =>
      fetch(`${gateway.url}/oauth/register`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ redirect_uris: [callback] }),
      });
    const replies = [await attempt(), await attempt(), await attempt()];
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 429]);
    expect(await replies[2]!.json()).toMatchObject({ error: 'too_many_requests' });
    expect(replies[2]!.headers.get('retry-after')).toMatch(/^\d+$/);
    const { client_id: id } = (await replies[0]!.json()) as { client_id: string };
    await stackDatabase().query("UPDATE agent_clients SET expires_at = now() - INTERVAL '1 second' WHERE id = $1", [
      id,
    ]);
    const { client } = await makeSignedIn();
    const page = await openConsent(client, authorizeQuery(id, makePkce().challenge));
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('registration has expired')]);
  });
});

describe('the consent page', () => {
  test('is reached from the authorization endpoint, leads to signing in, and forbids scripts and frames', async () => {
    const clientId = (await register({ client_name: '<b>Bold</b>' })).json.client_id;
    const query = authorizeQuery(clientId, makePkce().challenge);
    const first = await request('GET', `//oauth/authorize${query}`);
    expect([first.status, first.headers.get('location')]).toEqual([303, `/dashboard/connect${query}`]);
    const stranger = await openConsent({ cookie: '' } as never, query);
    const [, back = ''] = stranger.headers.get('location')!.split('/dashboard/connect-agent#');
    expect([stranger.status, Buffer.from(back, 'base64url').toString()]).toEqual([303, query]);
    const page = await openConsent((await makeSignedIn()).client, query);
    expect(page.text).toContain('&lt;b&gt;Bold&lt;/b&gt;');
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
  });

  test('lists the requested scopes and the sites on which the user has a role', async () => {
    const [site, other] = [await makeSite(), await makeSite()];
    const { client } = await makeSignedIn(await makeMember(site.slug, 'author'));
    const clientId = (await register()).json.client_id;
    const query = authorizeQuery(clientId, makePkce().challenge, { scope: 'content:read publish unknown' });
    const { text } = await openConsent(client, query);
    expect([...text.matchAll(/name="scope" value="([^"]+)"/g)].map(([, scope]) => scope)).toEqual([
      'content:read',
      'publish',
    ]);
    expect(text).toContain(`value="${site.slug}"`);
    expect(text).not.toContain(other.slug);
    const sent = await sendConsent(client, query, [
      ['decision', 'allow'],
      ['scope', 'content:read'],
      ['scope', 'admin'],
      ['site', other.slug],
    ]);
    expect([sent.status, sent.text]).toEqual([400, expect.stringContaining('Choose at least one site')]);
  });

  // rule: threat.62
  test('accepts its form only from its own origin and with a session', async () => {
    const { client } = await makeSignedIn();
    const query = authorizeQuery((await register()).json.client_id, makePkce().challenge);
    const form = [
      ['decision', 'allow'],
      ['scope', 'content:read'],
      ['site', '*'],
    ] as const;
    const foreign = await sendConsent(client, query, form, { Origin: 'https://evil.example' });
    expect([foreign.status, foreign.headers.get('location')]).toEqual([403, null]);
    const stranger = await sendConsent({ cookie: '' } as never, query, form);
    expect([stranger.status, stranger.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/^\/dashboard\/connect-agent#/),
    ]);
  });

  test.each([
    ['no PKCE', { code_challenge: '' }, 'invalid_request'],
    ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['only unknown scopes', { scope: 'everything' }, 'invalid_scope'],
  ])('reports %s to the client', async (_, more, error) => {
    const { client } = await makeSignedIn();
    const query = authorizeQuery((await register()).json.client_id, makePkce().challenge, more);
    const location = new URL((await openConsent(client, query)).headers.get('location')!);
    expect(location.origin + location.pathname).toBe(callback);
    expect(Object.fromEntries(location.searchParams)).toMatchObject({ error, state: 'a state', iss: origin });
  });

  // rule: threat.61
  test('never redirects to a URI that the client did not register, except for the port on loopback', async () => {
    const { client } = await makeSignedIn();
    const { client_id: id } = (await register()).json;
    for (const redirect_uri of ['https://evil.example/callback', 'http://127.0.0.1:39999/other']) {
      const page = await openConsent(client, authorizeQuery(id, makePkce().challenge, { redirect_uri }));
      expect([page.status, page.headers.get('location')]).toEqual([400, null]);
    }
    const free = { redirect_uri: 'http://127.0.0.1:1234/callback' };
    expect((await openConsent(client, authorizeQuery(id, makePkce().challenge, free))).status).toBe(200);
  });

  test('tells the client when the user denies', async () => {
    const { client } = await makeSignedIn();
    const query = authorizeQuery((await register()).json.client_id, makePkce().challenge);
    const location = new URL((await sendConsent(client, query, [['decision', 'deny']])).headers.get('location')!);
    expect(location.searchParams.get('error')).toBe('access_denied');
  });
});

describe('tokens', () => {
  test('are issued for a code, name the user, and are stored as hashes only', async () => {
    const { user, location, exchange } = await makeCode();
    expect([location.searchParams.get('state'), location.searchParams.get('iss')]).toEqual(['a state', origin]);
    const { status, json, headers } = await exchange({ resource });
    expect([status, json]).toEqual([
      200,
      expect.objectContaining({ token_type: 'Bearer', expires_in: 3600, scope: 'content:read' }),
    ]);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(await verify(json.access_token)).toMatchObject({ userId: user.id, name: 'Test agent', sites: ['*'] });
    expect(await verify(json.refresh_token)).toBeUndefined();
    expect(await verifyAccessToken(stackDatabase(), json.access_token, 'https://other.example/mcp')).toBeUndefined();
    const stored = JSON.stringify(await stackDatabase().query('SELECT * FROM agent_tokens'));
    for (const secret of [json.access_token, json.refresh_token, location.searchParams.get('code')])
      expect(stored).not.toContain(secret);
  });

  test.each([
    ['another verifier', { code_verifier: 'x'.repeat(43) }],
    ['another client', { client_id: '7d444840-9dc0-11d1-b245-5ffdce74fad2' }],
    ['another redirect URI', { redirect_uri: 'http://127.0.0.1:1/callback' }],
    ['more scopes', { scope: 'content:read admin' }],
  ])('are refused for a code with %s', async (_, changes) => {
    const { exchange } = await makeCode();
    const { status, json } = await exchange(changes);
    expect([status, json.error]).toEqual([400, 'invalid_grant']);
  });

  // rule: threat.60
  test('of a code that is used twice are revoked', async () => {
    const { exchange } = await makeCode();
    const both = await Promise.all([exchange(), exchange({}, 1)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    const { access_token: token } = both.find(({ status }) => status === 200)!.json;
    expect(await verify(token)).toBeUndefined();
  });

  // rule: threat.60
  test('are renewed by a refresh token once; its second use revokes them all', async () => {
    const { clientId, access, refresh } = await connectAgent();
    const renewed = await refreshWith(clientId, refresh);
    expect([renewed.status, await verify(renewed.json.access_token), await verify(access)]).toEqual([
      200,
      expect.anything(),
      expect.anything(),
    ]);
    const reused = await refreshWith(clientId, refresh);
    expect([reused.status, reused.json.error]).toEqual([400, 'invalid_grant']);
    expect([await verify(renewed.json.access_token), await verify(access)]).toEqual([undefined, undefined]);
    expect((await refreshWith(clientId, renewed.json.refresh_token)).status).toBe(400);
  });

  test('are renewed for one of two concurrent uses of a refresh token at most', async () => {
    const { clientId, refresh } = await connectAgent();
    const replies = await Promise.all([0, 1, 2, 3].map(() => refreshWith(clientId, refresh)));
    expect(replies.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });

  test('are not renewed by another client, for another resource or after the user was deactivated', async () => {
    const { user, client } = await makeSignedIn();
    const { clientId, access, refresh } = await connectAgent({ client });
    const other = (await register()).json.client_id;
    expect((await refreshWith(other, refresh)).json.error).toBe('invalid_grant');
    expect((await refreshWith(clientId, refresh, { resource: 'https://other.example' })).json.error).toBe(
      'invalid_target',
    );
    expect(await verify(access)).toBeDefined();
    await stackDatabase().transaction((tx) => setUserActive(tx, user.email, false));
    expect(await verify(access)).toBeUndefined();
    expect((await refreshWith(clientId, refresh)).status).toBe(400);
  });

  test('end with a revocation by the agent', async () => {
    const { clientId, access, refresh } = await connectAgent();
    expect((await postForm('/oauth/revoke', { token: refresh, client_id: 'another' })).status).toBe(200);
    expect(await verify(access)).toBeDefined();
    expect((await postForm('/oauth/revoke', { token: refresh, client_id: clientId })).status).toBe(200);
    expect(await verify(access)).toBeUndefined();
    expect((await postForm('/oauth/revoke', { token: 'unknown' })).status).toBe(200);
  });

  test('are limited by client address and by account', async () => {
    await using byAddress = await startRole('gateway', { FIELDSTONE_RATE_LIMIT_TOKEN_IP: '2' });
    const post = (url: string, form: Record<string, string>) =>
      fetch(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
    const unknown = { grant_type: 'refresh_token', client_id: 'x', refresh_token: 'y' };
    const statuses = [];
    for (let n = 0; n < 3; n++) statuses.push((await post(byAddress.url, unknown)).status);
    expect(statuses).toEqual([400, 400, 429]);
    await using byAccount = await startRole('gateway', { FIELDSTONE_RATE_LIMIT_TOKEN_ACCOUNT: '1' });
    const { clientId, access, refresh } = await connectAgent();
    const again = { grant_type: 'refresh_token', client_id: clientId, refresh_token: refresh, scope: 'none' };
    expect([(await post(byAccount.url, again)).status, (await post(byAccount.url, again)).status]).toEqual([400, 429]);
    expect(await verify(access)).toBeDefined();
  });
});

describe('connected agents', () => {
  test('are listed in the dashboard and revoked by their user only, which the audit log records', async () => {
    const { user, client } = await makeSignedIn(await makeUser({ administrator: true }));
    const { access } = await connectAgent({ client, scopes: ['content:read'] });
    const { data } = await client.call('GET', '/agents');
    expect(data.agents).toEqual([
      expect.objectContaining({ name: 'Test agent', scopes: ['content:read'], redirect_host: '127.0.0.1:39999' }),
    ]);
    const path = `/agents/${data.agents[0].id}`;
    const stranger = (await makeSignedIn()).client;
    expect((await stranger.call('DELETE', path)).status).toBe(404);
    expect(await verify(access)).toBeDefined();
    expect((await client.call('DELETE', path)).status).toBe(200);
    expect(await verify(access)).toBeUndefined();
    expect((await client.call('GET', '/agents')).data.agents).toEqual([]);
    const log = await request('GET', `/audit?actor=${user.id}&per_page=100`, { key: await user.makeKey() });
    expect(log.data.map(({ operation }: { operation: string }) => operation)).toEqual(
      expect.arrayContaining(['connectAgent', 'revokeAgent']),
    );
  });
});

describe('client metadata documents', () => {
  test('identify a client by their URL; a worker fetches them', async () => {
    let documents = 0;
    const port = stack.allowedPorts[10]!; // the first ones are for tests that use any free port
    const id = `http://127.0.0.1:${port}/${randomUUID()}.json`;
    const server = createServer((req, res) => {
      documents++;
      const client_id =
        req.url === '/other.json' ? 'https://example.com/agent.json' : `http://127.0.0.1:${port}${req.url}`;
      res.setHeader('Content-Type', 'application/json');
      res.end(JSON.stringify({ client_id, client_name: 'Documented', redirect_uris: [callback] }));
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    try {
      const { client } = await makeSignedIn(await makeUser({ administrator: true }));
      const query = authorizeQuery(id, makePkce().challenge);
      expect((await openConsent(client, query)).text).toContain('Documented');
      const tokens = await connectAgent({ client, clientId: id });
      expect([documents, (await verify(tokens.access))?.name]).toEqual([1, 'Documented']);
      const wrong = await openConsent(
        client,
        authorizeQuery(`http://127.0.0.1:${port}/other.json`, makePkce().challenge),
      );
      expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('is not the URL')]);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  test('are not fetched from inside the network', async () => {
    const { client } = await makeSignedIn();
    const page = await openConsent(client, authorizeQuery('https://127.0.0.1/agent.json', makePkce().challenge));
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('could not be read')]);
  });
});
