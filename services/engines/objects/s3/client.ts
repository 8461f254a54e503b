import http from 'node:http';
import https from 'node:https';
import * as Minio from 'minio';
import type { S3Config } from '../../../core/config.ts';
import { createTransport } from './transport.ts';

export interface S3Connection {
  client: Minio.Client;
  /** Its kept-alive connections. */
  agent: http.Agent;
}

/** Creates a `minio` client for the configured endpoint. */
export function createMinioClient(config: S3Config): S3Connection {
  const url = new URL(config.endpoint);
  const secure = url.protocol === 'https:';
  const agentOptions = { keepAlive: true, maxSockets: 64 };
  const agent = secure ? new https.Agent({ ...agentOptions, ca: config.ca }) : new http.Agent(agentOptions);
  const client = new Minio.Client({
    endPoint: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port ? Number(url.port) : secure ? 443 : 80,
    useSSL: secure,
    accessKey: config.accessKey,
    secretKey: config.secretKey,
    region: config.region,
    retryOptions: { disableRetry: true },
    transport: createTransport(secure),
    transportAgent: agent,
  });
  return { client, agent };
}
