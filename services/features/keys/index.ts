/** The public interface of keys. */
export { type CreatedKey, createKey, listKeys, revokeKey, rotateKey } from './service.ts';
export { createKeyVerifier, type KeyVerifier } from './verify.ts';
