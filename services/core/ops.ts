import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, register } from 'prom-client';
import type { Logger } from './log.ts';

export interface OpsOptions {
  host: string;
  /** 0 picks a free port. */
  port: number;
  /** Resolves when the process can do its work; rejects with what is missing. */
  ready: () => Promise<void>;
  /** Logs why the process is not ready, once each time it stops being ready. */
  log?: Pick<Logger, 'warn'>;
}

export interface OpsServer {
  port: number;
  close(): Promise<void>;
}

const readyTimeoutMs = 4000;

function createReadiness({ ready, log }: OpsOptions): () => Promise<boolean> {
  let isReported = false;
  return async () => {
    const late = new Promise<never>((_, reject) =>
      setTimeout(() => reject(new Error(`no response within ${readyTimeoutMs} ms`)), readyTimeoutMs).unref(),
    );
    try {
      await Promise.race([ready(), late]);
      isReported = false;
      return true;
    } catch (error) {
      if (!isReported) log?.warn({ err: error }, 'not ready');
      isReported = true;
      return false;
    }
  };
}

let collecting = false;

/**
 * Serves `/healthz` (the process is alive), `/readyz` (it can do its work; 503 otherwise) and `/metrics` (Prometheus)
 * on a separate port, which must not be exposed by the ingress (contract: Processes, settings and CLI). Metrics are
 * those of the process-wide `prom-client` registry.
 */
export async function startOpsServer(options: OpsOptions): Promise<OpsServer> {
  const { host, port } = options;
  const isReady = createReadiness(options);
  if (!collecting) collectDefaultMetrics();
  collecting = true;
  const server = createServer((request, response) => {
    const respond = (status: number, body: string, type = 'text/plain; charset=utf-8') => {
      response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' });
      response.end(body);
    };
    const path = request.url?.split('?')[0];
    if (path === '/healthz') respond(200, 'ok\n');
    else if (path === '/readyz')
      void isReady().then((yes) => respond(yes ? 200 : 503, yes ? 'ready\n' : 'not ready\n'));
    else if (path === '/metrics') {
      register.metrics().then(
        (text) => respond(200, text, register.contentType),
        () => respond(500, 'metrics failed\n'),
      );
    } else respond(404, 'not found\n');
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
