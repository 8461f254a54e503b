import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

x509.cryptoProvider.set(webcrypto as never);
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const dayMs = 24 * 60 * 60 * 1000;

export interface Certificate {
  cert: string;
  key: string;
}

export interface Authority {
  /** Its own certificate. */
  ca: string;
  /** Issues a certificate for `localhost` and `127.0.0.1`, or for a client of this name. */
  issue(commonName: string, options?: { expired?: boolean }): Promise<Certificate>;
}

async function exportKey(key: webcrypto.CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}

const makeKeys = () => webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);

/** Creates a private authority for one test. */
export async function createAuthority(): Promise<Authority> {
  const keys = await makeKeys();
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Test authority',
    keys,
    signingAlgorithm: algorithm,
    notBefore: new Date(Date.now() - 30 * dayMs),
    notAfter: new Date(Date.now() + 30 * dayMs),
    extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
  });
  return {
    ca: root.toString('pem'),
    async issue(commonName, { expired = false } = {}) {
      const own = await makeKeys();
      const certificate = await x509.X509CertificateGenerator.create({
        subject: `CN=${commonName}`,
        issuer: root.subject,
        publicKey: own.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: algorithm,
        notBefore: new Date(Date.now() - 20 * dayMs),
        notAfter: new Date(Date.now() + (expired ? -dayMs : 10 * dayMs)),
        extensions: [
          new x509.BasicConstraintsExtension(false),
          new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth, x509.ExtendedKeyUsage.clientAuth]),
          new x509.SubjectAlternativeNameExtension([
            { type: 'dns', value: 'localhost' },
            { type: 'ip', value: '127.0.0.1' },
          ]),
        ],
      });
      return { cert: certificate.toString('pem'), key: await exportKey(own.privateKey) };
    },
  };
}
