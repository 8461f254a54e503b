import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/**
 * Encrypts values that must be readable again (signing secrets, stored replies). No other code may access the key ring.
 */
export interface Cipher {
  /**
   * Encrypts with AES-256-GCM under the first key of the ring; `context` must be the same at decryption (it binds a
   * value to its row).
   */
  encrypt(plain: string, context: string): string;
  /** Decrypts with the key that the value names; throws when no key of the ring matches or the value was changed. */
  decrypt(sealed: string, context: string): string;
  /** Encrypts bytes in the same way; the result is longer by `sealedOverhead`. */
  encryptBytes(plain: Buffer, context: string): Buffer;
  /** Decrypts the result of `encryptBytes`. */
  decryptBytes(sealed: Buffer, context: string): Buffer;
  /** Returns whether the value is under the first key of the ring; if not, it should be encrypted again. */
  isCurrent(sealed: string): boolean;
  /** Derives a key for one purpose from the first key of the ring. */
  deriveKey(purpose: string): Buffer;
}

const nameBytes = 8;
const ivBytes = 12;
const tagBytes = 16;
/** Number of bytes by which the result of `encryptBytes` is longer than its input. */
export const sealedOverhead = nameBytes + ivBytes + tagBytes;

function keyName(key: Buffer): string {
  return createHash('sha256').update('name').update(key).digest('hex').slice(0, nameBytes);
}

/** Creates a cipher. `keys`: 32 bytes each; the first one encrypts, all decrypt (contract: FIELDSTONE_SECRET_KEY). */
export function createCipher(keys: readonly Buffer[]): Cipher {
  const first = keys[0];
  if (!first) throw new Error('The key ring is empty.');
  const ring = new Map(keys.map((key) => [keyName(key), key]));
  const firstName = keyName(first);

  function seal(plain: Buffer, context: string): Buffer[] {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv('aes-256-gcm', first!, iv).setAAD(Buffer.from(context));
    return [iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()];
  }

  function open(name: string, sealed: Buffer, context: string): Buffer {
    const key = ring.get(name);
    if (!key) throw new Error('The value is encrypted with a key that FIELDSTONE_SECRET_KEY no longer lists.');
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, ivBytes))
      .setAAD(Buffer.from(context))
      .setAuthTag(sealed.subarray(sealed.length - tagBytes));
    return Buffer.concat([decipher.update(sealed.subarray(ivBytes, sealed.length - tagBytes)), decipher.final()]);
  }

  return {
    encrypt: (plain, context) => `${firstName}.${Buffer.concat(seal(Buffer.from(plain), context)).toString('base64')}`,
    decrypt(sealed, context) {
      const [name = '', data = ''] = sealed.split('.', 2);
      return open(name, Buffer.from(data, 'base64'), context).toString('utf8');
    },
    encryptBytes: (plain, context) => Buffer.concat([Buffer.from(firstName), ...seal(plain, context)]),
    decryptBytes: (sealed, context) =>
      open(sealed.toString('latin1', 0, nameBytes), sealed.subarray(nameBytes), context),
    isCurrent: (sealed) => sealed.startsWith(`${firstName}.`),
    deriveKey: (purpose) => createHash('sha256').update(`fieldstone:${purpose}:`).update(first).digest(),
  };
}
