import { stack, type TestSite } from './api.ts';
import { startRole } from './role.ts';
import { startProxyOf, type TcpProxy } from './tcp-proxy.ts';

/** A setting with the URL of an engine. */
export type EngineSetting = 'DATABASE_URL' | 'S3_ENDPOINT' | 'TEMPORAL_ADDRESS';

interface OutageReply {
  status: number;
  retryAfter: number;
  replayed: string | null;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: replies of every shape
  json: any;
}

export interface GatewayBehind {
  proxy: TcpProxy;
  url: string;
  /** Sends one request below the site. */
  send(method: string, path: string, body?: string, type?: string, idempotencyKey?: string): Promise<OutageReply>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a gateway whose connection to one engine can be cut. */
export async function startGatewayBehind(setting: EngineSetting, site: TestSite): Promise<GatewayBehind> {
  const proxy = await startProxyOf(stack.env[setting]!);
  const gateway = await startRole('gateway', { [setting]: proxy.address });
  return {
    proxy,
    url: gateway.url,
    async send(method, path, body, type = 'application/json', idempotencyKey = '') {
      const headers: Record<string, string> = { 'X-API-Key': site.key, 'Content-Type': type };
      if (idempotencyKey) headers['Idempotency-Key'] = idempotencyKey;
      const reply = await fetch(`${gateway.url}/api/v1/sites/${site.slug}${path}`, {
        method,
        headers,
        body: body ?? null,
      });
      const text = await reply.text();
      return {
        status: reply.status,
        retryAfter: Number(reply.headers.get('retry-after')),
        replayed: reply.headers.get('idempotency-replayed'),
        text,
        json: text ? JSON.parse(text) : null,
      };
    },
    async [Symbol.asyncDispose]() {
      await gateway.kill('SIGTERM');
      await proxy[Symbol.asyncDispose]();
    },
  };
}
