import { existsSync, readFileSync } from 'node:fs';
import type { Config } from '../../core/config.ts';

/** A certificate or key given as PEM text or as the path of a file. */
function readPem(value: string | undefined): Buffer | undefined {
  if (!value) return undefined;
  return value.includes('-----BEGIN') || !existsSync(value) ? Buffer.from(value) : readFileSync(value);
}

/** The TLS options of the settings for both Temporal connections: the client's and the worker's. */
export function temporalTls({ temporalTls: tls, temporalApiKey }: Pick<Config, 'temporalTls' | 'temporalApiKey'>) {
  const ca = readPem(tls.ca);
  const crt = readPem(tls.cert);
  const key = readPem(tls.key);
  if (!tls.enabled && !ca && !crt && !temporalApiKey) return null;
  return {
    ...(ca ? { serverRootCACertificate: ca } : {}),
    ...(crt && key ? { clientCertPair: { crt, key } } : {}),
  };
}
