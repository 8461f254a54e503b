import { createServer, type Server, type ServerResponse } from 'node:http';
import { mergeMetrics } from './merge-metrics.ts';
import { answersReady, localOrigin } from './roles.ts';

/** The origin of each role's operations server. */
type RoleOrigins = Record<string, string>;

function send(response: ServerResponse, status: number, contentType: string, body: string): void {
  response.writeHead(status, { 'Content-Type': contentType, 'Cache-Control': 'no-store' });
  response.end(body);
}

async function readReadiness(roles: RoleOrigins): Promise<Record<string, boolean>> {
  const entries = await Promise.all(
    Object.entries(roles).map(async ([name, origin]) => [name, await answersReady(origin).catch(() => false)] as const),
  );
  return Object.fromEntries(entries);
}

async function readMetrics(roles: RoleOrigins): Promise<string> {
  const results = await Promise.allSettled(
    Object.entries(roles).map(async ([name, origin]) => {
      const response = await fetch(`${origin}/metrics`, { signal: AbortSignal.timeout(5000) });
      if (!response.ok) throw new Error(`${name} responded with ${response.status}`);
      return { role: name, text: await response.text() };
    }),
  );
  // A role that is restarting has no metrics; `/readyz` reports it as missing.
  return mergeMetrics(results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])));
}

async function respond(roles: RoleOrigins, path: string, response: ServerResponse): Promise<void> {
  if (path === '/healthz') return send(response, 200, 'application/json', '{"status":"ok"}\n');
  if (path === '/metrics')
    return send(response, 200, 'text/plain; version=0.0.4; charset=utf-8', await readMetrics(roles));
  if (path === '/readyz') {
    const readiness = await readReadiness(roles);
    const ready = Object.values(readiness).every(Boolean);
    return send(response, ready ? 200 : 503, 'application/json', `${JSON.stringify({ ready, roles: readiness })}\n`);
  }
  send(response, 404, 'application/json', '{"error":"not found"}\n');
}

/** Serves `/healthz`, `/readyz` and `/metrics` for all roles together, on the port that `--ops-port` names. */
export async function serveOps(opsPorts: Record<string, number>, host: string, port: number): Promise<Server> {
  const roles = Object.fromEntries(
    Object.entries(opsPorts).map(([name, opsPort]) => [name, localOrigin(host, opsPort)]),
  );
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    respond(roles, path, response).catch((error: Error) => send(response, 500, 'text/plain', `${error.message}\n`));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  return server;
}
