/** The door of keys: what other folders use of it. */
export { type CreatedKey, createKey, listKeys, revokeKey, rotateKey } from './service.ts';
export { createKeyVerifier, type KeyVerifier } from './verify.ts';
