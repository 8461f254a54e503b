import { X509Certificate } from 'node:crypto';
import { connect } from 'node:tls';

/**
 * A failure of the certificates between an engine and this program; the message is a sentence that names the setting to
 * check.
 */
export class TlsFailure extends Error {
  readonly code = 'FS_TLS';
}

/** The name of an engine in messages, and the prefix of its settings: `DATABASE` for `DATABASE_CA`. */
export interface TlsSubject {
  engine: string;
  setting: string;
}

const untrusted = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
]);

/** The suffix of the code for a client certificate that the server considers expired. */
const expiredClient = '_ALERT_CERTIFICATE_EXPIRED';

/** Explains a code of Node, of OpenSSL's alerts from the server, or of PostgreSQL's protocol; undefined for others. */
function explain(code: string, { engine, setting }: TlsSubject): string | undefined {
  if (code === 'CERT_HAS_EXPIRED') return `The certificate of ${engine} has expired: renew it there.`;
  if (code === 'CERT_NOT_YET_VALID') return `The certificate of ${engine} is not valid yet: check the clocks.`;
  if (untrusted.has(code))
    return `The certificate of ${engine} is not signed by an authority that is trusted here: set ${setting}_CA to the right one.`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `The certificate of ${engine} is for other names than its address: use a name that the certificate has.`;
  if (/_ALERT_CERTIFICATE_REQUIRED$/.test(code))
    return `A client certificate is required by ${engine}: set ${setting}_CERT and ${setting}_KEY.`;
  if (code.endsWith(expiredClient))
    return `The client certificate for ${engine} has expired: renew ${setting}_CERT and ${setting}_KEY.`;
  if (/_ALERT_(UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_UNKNOWN|DECRYPT_ERROR)$/.test(code))
    return `The client certificate is rejected by ${engine}: check ${setting}_CERT and ${setting}_KEY.`;
  if (code === 'ERR_SSL_KEY_VALUES_MISMATCH' || code === 'ERR_OSSL_X509_KEY_VALUES_MISMATCH')
    return `${setting}_CERT and ${setting}_KEY do not match.`;
  return undefined;
}

/** Explains a certificate failure between both sides; undefined for any other failure. */
export function explainTls(error: unknown, subject: TlsSubject): TlsFailure | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof TlsFailure) return cause;
    const sentence = explain(String((cause as { code?: unknown }).code ?? ''), subject);
    if (sentence) return new TlsFailure(sentence, { cause: error });
  }
  return undefined;
}

export interface TlsTarget {
  /** `host:port` */
  address: string;
  ca: string | undefined;
  cert: string | undefined;
  key: string | undefined;
}

const probeMs = 5000;
/** With TLS 1.3, a server rejects a client's certificate only after the client has completed the handshake. */
const afterthoughtMs = 500;

/** Returns whether our certificate has expired; some servers then close the connection without an alert. */
function hasExpired(cert: string | undefined): boolean {
  return cert !== undefined && new X509Certificate(cert).validToDate < new Date();
}

/**
 * Performs one handshake, for engines whose own client reports failures only as prose. Resolves to the failure if TLS
 * caused it.
 */
export async function probeTls(
  { address, ca, cert, key }: TlsTarget,
  subject: TlsSubject,
): Promise<TlsFailure | undefined> {
  if (hasExpired(cert)) return explainTls(Object.assign(new Error('expired'), { code: expiredClient }), subject);
  const { hostname, port } = new URL(`tcp://${address}`);
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    const end = (failure?: TlsFailure) => {
      socket.destroy();
      resolve(failure);
    };
    const servername = /^[\d.]+$|:/.test(host) ? '' : host;
    const socket = connect({ host, port: Number(port), servername, ca, cert, key, ALPNProtocols: ['h2'] });
    socket.setTimeout(probeMs, end);
    socket.on('error', (error) => end(explainTls(error, subject)));
    socket.once('secureConnect', () => setTimeout(end, afterthoughtMs));
    socket.resume();
  });
}
