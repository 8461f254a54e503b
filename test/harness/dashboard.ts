import { randomUUID } from 'node:crypto';
import { createLink, type Link } from '../../services/features/people/index.ts';
import { type ApiReply, request, stack, stackConfig, stackDatabase } from './api.ts';
import { makeUser, type TestUser } from './people.ts';

export const password = 'correct horse battery';

interface CallOptions {
  headers?: Record<string, string>;
  gateway?: number;
}

/** Calls the dashboard as a page of ours does, and keeps its cookie. */
export interface DashboardClient {
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<ApiReply>;
  /** The `Cookie` header that it sends; empty without a session. */
  cookie: string;
}

export function openDashboard(cookie = ''): DashboardClient {
  const client: DashboardClient = {
    cookie,
    async call(method, path, body, { headers = {}, gateway } = {}) {
      const reply = await request(method, `//dashboard/api${path}`, {
        headers: {
          Origin: stack.env['FIELDSTONE_URL']!,
          'Sec-Fetch-Site': 'same-origin',
          Cookie: client.cookie,
          ...headers,
        },
        ...(body === undefined ? {} : { body }),
        ...(gateway === undefined ? {} : { gateway }),
      });
      const [set] = reply.headers.getSetCookie();
      if (set) client.cookie = set.includes('Max-Age=0') ? '' : set.split(';')[0]!;
      return reply;
    },
  };
  return client;
}

/** Creates a link in the stack's database, as the command line does. */
export const makeLink = (userId: string, kind: Link['kind']): Promise<Link> =>
  stackDatabase().transaction((tx) => createLink(tx, stackConfig(), userId, kind));

export const tokenOf = ({ url }: Pick<Link, 'url'>): string => url.split('#')[1]!;

/** Signs a user in with a link, on a separate client. */
export async function signInByLink(userId: string): Promise<DashboardClient> {
  const client = openDashboard();
  const reply = await client.call('POST', '/links/accept', { token: tokenOf(await makeLink(userId, 'sign_in')) });
  if (reply.status !== 200) throw new Error(`Not signed in: ${reply.text}`);
  return client;
}

/** Creates a user with the password above, and a client on which they are signed in. */
export async function makeSignedIn(user?: TestUser): Promise<{ user: TestUser; client: DashboardClient }> {
  const made = user ?? (await makeUser());
  const client = openDashboard();
  const token = tokenOf(await makeLink(made.id, 'reset'));
  const reply = await client.call('POST', '/links/accept', { token, password, name: `Ada ${randomUUID()}` });
  if (reply.status !== 200) throw new Error(`Not signed in: ${reply.text}`);
  return { user: made, client };
}
