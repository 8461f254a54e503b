import type { Config } from '../../../core/config.ts';
import { probeTls, type TlsFailure, type TlsSubject } from '../../tls.ts';

/** The names in messages about TLS failures with this engine. */
export const temporalSubject: TlsSubject = { engine: 'the workflow engine', setting: 'TEMPORAL' };

type TlsSettings = Pick<Config, 'temporalTls' | 'temporalApiKey'>;

/** Returns the TLS options of both Temporal connections, the client's and the worker's; null without TLS. */
export function temporalTls({ temporalTls: tls, temporalApiKey }: TlsSettings) {
  const { ca, cert, key } = tls;
  if (!tls.enabled && !ca && !cert && !temporalApiKey) return null;
  return {
    ...(ca ? { serverRootCACertificate: Buffer.from(ca) } : {}),
    ...(cert && key ? { clientCertPair: { crt: Buffer.from(cert), key: Buffer.from(key) } } : {}),
  };
}

/** Explains a failed connection if TLS is the cause: the engine's clients report that only as prose. */
export async function explainTemporal(
  config: TlsSettings & { temporalAddress: string },
): Promise<TlsFailure | undefined> {
  if (!temporalTls(config)) return undefined;
  const { ca, cert, key } = config.temporalTls;
  return probeTls({ address: config.temporalAddress, ca, cert, key }, temporalSubject);
}
