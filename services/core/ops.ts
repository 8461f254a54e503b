import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, register } from 'prom-client';

export interface OpsOptions {
  host: string;
  /** 0 takes a free port. */
  port: number;
  /** Resolves when the process can do its work; what it rejects with says what is missing. */
  ready: () => Promise<void>;
}

export interface OpsServer {
  port: number;
  close(): Promise<void>;
}

const readyTimeoutMs = 4000;

async function isReady(ready: OpsOptions['ready']): Promise<boolean> {
  const late = new Promise<boolean>((resolve) => setTimeout(resolve, readyTimeoutMs, false).unref());
  return Promise.race([
    ready().then(
      () => true,
      () => false,
    ),
    late,
  ]);
}

let collecting = false;

/**
 * Answers `/healthz` (the process lives), `/readyz` (it can do its work; 503 otherwise) and `/metrics` (Prometheus) on a
 * port of its own, which is not for the ingress (contract: Processes, settings and CLI). Metrics are those of the
 * process-wide `prom-client` registry.
 */
export async function startOpsServer({ host, port, ready }: OpsOptions): Promise<OpsServer> {
  if (!collecting) collectDefaultMetrics();
  collecting = true;
  const server = createServer((request, response) => {
    const answer = (status: number, body: string, type = 'text/plain; charset=utf-8') => {
      response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' });
      response.end(body);
    };
    const path = request.url?.split('?')[0];
    if (path === '/healthz') answer(200, 'ok\n');
    else if (path === '/readyz')
      void isReady(ready).then((yes) => answer(yes ? 200 : 503, yes ? 'ready\n' : 'not ready\n'));
    else if (path === '/metrics') {
      register.metrics().then(
        (text) => answer(200, text, register.contentType),
        () => answer(500, 'metrics failed\n'),
      );
    } else answer(404, 'not found\n');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
