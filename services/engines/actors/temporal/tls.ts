import type { Config } from '../../../core/config.ts';
import { probeTls, type TlsFailure, type TlsSubject } from '../../tls.ts';

/** How failures of TLS with this engine are told. */
export const temporalSubject: TlsSubject = { engine: 'the workflow engine', setting: 'TEMPORAL' };

type TlsSettings = Pick<Config, 'temporalTls' | 'temporalApiKey'>;

/** The TLS options of the settings for both Temporal connections: the client's and the worker's. Null = without TLS. */
export function temporalTls({ temporalTls: tls, temporalApiKey }: TlsSettings) {
  const { ca, cert, key } = tls;
  if (!tls.enabled && !ca && !cert && !temporalApiKey) return null;
  return {
    ...(ca ? { serverRootCACertificate: Buffer.from(ca) } : {}),
    ...(cert && key ? { clientCertPair: { crt: Buffer.from(cert), key: Buffer.from(key) } } : {}),
  };
}

/** Why a connection failed, when TLS is why: the engine's own clients say so only in words. */
export async function explainTemporal(
  config: TlsSettings & { temporalAddress: string },
): Promise<TlsFailure | undefined> {
  if (!temporalTls(config)) return undefined;
  const { ca, cert, key } = config.temporalTls;
  return probeTls({ address: config.temporalAddress, ca, cert, key }, temporalSubject);
}
