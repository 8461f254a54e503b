/** The public interface of keys. */
export { type CreatedKey, createKey, createSecret, listKeys, type NewSecret, revokeKey, rotateKey } from './service.ts';
export { createKeyVerifier, type KeyVerifier } from './verify.ts';
