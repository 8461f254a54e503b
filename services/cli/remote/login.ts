import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { FieldstoneError } from '../../client/errors.ts';
import { CliError, ServiceUnreachable } from '../run-command.ts';
import { send } from './connection.ts';

/** A request for an API key, as the service has created it. */
export interface KeyRequest {
  token: string;
  /** Shown here and in the dashboard. */
  code: string;
  /** The page of the dashboard that approves the request. */
  url: string;
  expires_at: string;
}

/** The key of an approved request. */
export interface ApprovedKey {
  /** The e-mail address of the user who approved, and owns the key. */
  user: string;
  key: { id: string; key: string; name: string; scopes: string[]; sites: string[] };
}

/** Calls the dashboard of a service as its own pages do: it accepts requests with its own origin only. */
async function callDashboard<T>(origin: string, path: string, body: unknown): Promise<T> {
  const response = await send(`${origin}/dashboard/api${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: origin },
    body: JSON.stringify(body),
  });
  const reply = (await response.json().catch(() => ({}))) as { data?: T; error?: { code?: string; message?: string } };
  if (!response.ok) throw new FieldstoneError(response, reply.error ?? {});
  return reply.data as T;
}

/** How long one request waits for the approval. */
const waitSeconds = 12;
const retrySeconds = 5;

const retrySecondsOf = (error: unknown): number =>
  (error instanceof FieldstoneError && error.retryAfterSeconds) || retrySeconds;

const mayPass = (error: unknown): boolean =>
  error instanceof ServiceUnreachable ||
  (error instanceof FieldstoneError && [429, 502, 503, 504].includes(error.status));

/** Requests an API key from a service. */
export function openKeyRequest(
  origin: string,
  request: { name: string; scopes: string[]; sites: string[] },
): Promise<KeyRequest> {
  return callDashboard<KeyRequest>(origin, '/key-requests', request);
}

/**
 * Waits until a user has approved the request, and returns the key. Continues while the service is unreachable. Throws
 * FieldstoneError if the request was denied, CliError if it was not approved in time.
 */
export async function waitForKey(origin: string, request: KeyRequest): Promise<ApprovedKey> {
  const endsAt = Date.parse(request.expires_at);
  while (Date.now() < endsAt) {
    try {
      const claimed = await callDashboard<{ user: string | null; key: ApprovedKey['key'] | null }>(
        origin,
        '/key-requests/claim',
        { token: request.token, wait_seconds: waitSeconds },
      );
      if (claimed.key && claimed.user) return { user: claimed.user, key: claimed.key };
    } catch (error) {
      if (!mayPass(error)) throw error;
      await sleep(retrySecondsOf(error) * 1000);
    }
  }
  throw new CliError('Nobody approved the request in time; run the command again.');
}

const openers: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens a page in the browser, if the system has one; the page's URL is printed in any case. */
export function openBrowser(url: string): void {
  const [program, ...args] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined); // no such program
  child.unref();
}
