import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** Encrypts what must be readable again (signing secrets, stored replies). Nothing else may see the key ring. */
export interface Cipher {
  /** AES-256-GCM under the first key of the ring; `context` must be the same at decryption (it binds a value to its row). */
  encrypt(plain: string, context: string): string;
  /** Tries the key that the value names; throws when no key of the ring fits or the value was changed. */
  decrypt(sealed: string, context: string): string;
  /** Whether the value is under the first key of the ring; if not, it should be sealed again. */
  isCurrent(sealed: string): boolean;
  /** A key for one purpose, derived from the first key of the ring. */
  deriveKey(purpose: string): Buffer;
}

const ivBytes = 12;
const tagBytes = 16;

function keyName(key: Buffer): string {
  return createHash('sha256').update('name').update(key).digest('hex').slice(0, 8);
}

/** `keys`: 32 bytes each, the first one encrypts, all decrypt (contract: FIELDSTONE_SECRET_KEY). */
export function createCipher(keys: readonly Buffer[]): Cipher {
  const first = keys[0];
  if (!first) throw new Error('The key ring is empty.');
  const ring = new Map(keys.map((key) => [keyName(key), key]));
  const firstName = keyName(first);
  return {
    encrypt(plain, context) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', first, iv).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([iv, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${firstName}.${sealed.toString('base64')}`;
    },
    decrypt(sealed, context) {
      const [name = '', data = ''] = sealed.split('.', 2);
      const key = ring.get(name);
      if (!key) throw new Error('The value is sealed under a key that FIELDSTONE_SECRET_KEY no longer lists.');
      const bytes = Buffer.from(data, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes))
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(bytes.length - tagBytes));
      return (
        decipher.update(bytes.subarray(ivBytes, bytes.length - tagBytes), undefined, 'utf8') + decipher.final('utf8')
      );
    },
    isCurrent: (sealed) => sealed.startsWith(`${firstName}.`),
    deriveKey: (purpose) => createHash('sha256').update(`fieldstone:${purpose}:`).update(first).digest(),
  };
}
