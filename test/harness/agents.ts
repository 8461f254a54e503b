import { createHash, randomBytes } from 'node:crypto';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { stack } from './api.ts';
import { type DashboardClient, makeSignedIn } from './dashboard.ts';
import type { TestUser } from './people.ts';

/** The redirect URI of the agents of tests; nothing listens there. */
export const callback = 'http://127.0.0.1:39999/callback';

const origin = () => stack.env['FIELDSTONE_URL']!;
const gatewayOf = (index = 0) => stack.gateways[index]!;

export interface RawReply {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
  json: any;
}

async function read(response: Response): Promise<RawReply> {
  const text = await response.text();
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return { status: response.status, headers: response.headers, text, json };
}

/** Posts a form to an endpoint of the authorization server. */
export async function postForm(path: string, form: Record<string, string>, gateway = 0): Promise<RawReply> {
  return read(await fetch(`${gatewayOf(gateway)}${path}`, { method: 'POST', body: new URLSearchParams(form) }));
}

/** Registers a client. */
export async function register(metadata: object = {}): Promise<RawReply> {
  return read(
    await fetch(`${gatewayOf()}/oauth/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ client_name: 'Test agent', redirect_uris: [callback], ...metadata }),
    }),
  );
}

/** Creates a PKCE verifier and its challenge. */
export function makePkce() {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** Returns the query of an authorization URL. */
export const authorizeQuery = (clientId: string, challenge: string, more: Record<string, string> = {}): string =>
  `?${new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: callback,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'a state',
    resource: `${origin()}/mcp`,
    ...more,
  })}`;

/** Opens the consent page, like a browser that follows the authorization URL. */
export async function openConsent(client: DashboardClient, query: string): Promise<RawReply> {
  const headers = { Cookie: client.cookie, Accept: 'text/html' };
  return read(await fetch(`${gatewayOf()}/dashboard/connect${query}`, { headers, redirect: 'manual' }));
}

/** Sends the form of the consent page. */
export async function sendConsent(
  client: DashboardClient,
  query: string,
  form: readonly (readonly [string, string])[],
  headers: Record<string, string> = { Origin: origin(), 'Sec-Fetch-Site': 'same-origin' },
): Promise<RawReply> {
  return read(
    await fetch(`${gatewayOf(1)}/dashboard/connect${query}`, {
      method: 'POST',
      headers: { Cookie: client.cookie, ...headers },
      body: new URLSearchParams(form.map(([name, value]): [string, string] => [name, value])),
      redirect: 'manual',
    }),
  );
}

export interface Tokens {
  clientId: string;
  access: string;
  refresh: string;
}

interface ConnectOptions {
  user?: TestUser;
  client?: DashboardClient;
  scopes?: readonly string[];
  sites?: readonly string[];
  clientId?: string;
}

/** Registers a client, lets the user allow it and exchanges the code. */
export async function connectAgent({
  user,
  client,
  scopes = ['admin'],
  sites = ['*'],
  clientId,
}: ConnectOptions = {}): Promise<Tokens> {
  const browser = client ?? (await makeSignedIn(user)).client;
  const id = clientId ?? (await register()).json.client_id;
  const { verifier, challenge } = makePkce();
  const query = authorizeQuery(id, challenge, { scope: scopes.join(' ') });
  const allowed = await sendConsent(browser, query, [
    ['decision', 'allow'],
    ...scopes.map((scope) => ['scope', scope] as const),
    ...sites.map((site) => ['site', site] as const),
  ]);
  const code = URL.parse(allowed.headers.get('location') ?? '')?.searchParams.get('code');
  if (!code) throw new Error(`Not allowed: ${allowed.status} ${allowed.text}`);
  const form = {
    grant_type: 'authorization_code',
    code,
    client_id: id,
    redirect_uri: callback,
    code_verifier: verifier,
  };
  const reply = await postForm('/oauth/token', form);
  if (reply.status !== 200) throw new Error(`No tokens: ${reply.text}`);
  return { clientId: id, access: reply.json.access_token, refresh: reply.json.refresh_token };
}

/** An agent that is connected by the official client. */
export interface Agent {
  client: Client;
  /** Calls a tool; confirms the call if the tool requires it. */
  call(tool: string, args: Record<string, unknown>): Promise<ToolReply>;
  /** Calls a tool once. */
  once(tool: string, args: Record<string, unknown>): Promise<ToolReply>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface ToolReply {
  isError: boolean;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into results of every tool
  result: any;
}

/** Connects the official client with an access token. */
export async function openAgent(access: string, gateway = 0): Promise<Agent> {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`${gatewayOf(gateway)}/mcp`), {
    requestInit: { headers: { Authorization: `Bearer ${access}` } },
  });
  await client.connect(transport as never);
  async function once(name: string, args: Record<string, unknown>): Promise<ToolReply> {
    const reply = await client.callTool({ name, arguments: args }, undefined, { timeout: 240_000 });
    const content = reply.content as { type: string; text: string }[];
    return {
      isError: reply.isError === true,
      text: content.map(({ text }) => text).join('\n'),
      result: reply.structuredContent,
    };
  }
  return {
    client,
    once,
    async call(tool, args) {
      const first = await once(tool, args);
      const token = first.result?.confirmation?.token;
      return token === undefined ? first : once(tool, { ...args, confirm: token });
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
