import { X509Certificate } from 'node:crypto';
import { connect } from 'node:tls';

/** An engine and this program do not agree on certificates; the message is a sentence that names the setting to look at. */
export class TlsFailure extends Error {
  readonly code = 'FS_TLS';
}

/** What an engine is called, and how its settings begin: `DATABASE` for `DATABASE_CA`. */
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

/** The end of the code for a client certificate that the other side finds expired. */
const expiredClient = '_ALERT_CERTIFICATE_EXPIRED';

/** Codes of Node, of OpenSSL's alerts from the other side, and of PostgreSQL's protocol. */
function explain(code: string, { engine, setting }: TlsSubject): string | undefined {
  if (code === 'CERT_HAS_EXPIRED') return `The certificate of ${engine} has expired: renew it there.`;
  if (code === 'CERT_NOT_YET_VALID') return `The certificate of ${engine} is not valid yet: look at the clocks.`;
  if (untrusted.has(code))
    return `The certificate of ${engine} is not signed by an authority that is trusted here: set ${setting}_CA to the right one.`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `The certificate of ${engine} is for other names than its address: use a name that the certificate has.`;
  if (/_ALERT_CERTIFICATE_REQUIRED$/.test(code))
    return `A client certificate is wanted by ${engine}: set ${setting}_CERT and ${setting}_KEY.`;
  if (code.endsWith(expiredClient))
    return `The client certificate for ${engine} has expired: renew ${setting}_CERT and ${setting}_KEY.`;
  if (/_ALERT_(UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_UNKNOWN|DECRYPT_ERROR)$/.test(code))
    return `The client certificate is refused by ${engine}: look at ${setting}_CERT and ${setting}_KEY.`;
  if (code === 'ERR_SSL_KEY_VALUES_MISMATCH' || code === 'ERR_OSSL_X509_KEY_VALUES_MISMATCH')
    return `${setting}_CERT and ${setting}_KEY do not belong together.`;
  return undefined;
}

/** What went wrong between the certificates of both sides, or undefined when the failure was another. */
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
/** TLS 1.3 refuses a client's certificate only after the handshake has succeeded for the client. */
const afterthoughtMs = 500;

/** Some servers close the connection without a word when they refuse a certificate: ours is looked at here. */
function hasExpired(cert: string | undefined): boolean {
  return cert !== undefined && new X509Certificate(cert).validToDate < new Date();
}

/** One handshake, for engines whose own client says in words only why it failed. Resolves with the failure, if it was TLS. */
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
