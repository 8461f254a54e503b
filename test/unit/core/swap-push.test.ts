import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createPush, isConfirmation, maxPushBytes, readPush } from '../../../services/core/swap-push.ts';

const keys = [randomBytes(32)];
const push = { edgeId: randomUUID(), siteId: randomUUID() };

// rule: threat.70
describe('a push', () => {
  test('is read by an edge with the same secret key', () => {
    const { body, signature } = createPush(keys, push);
    expect(readPush(keys, body, signature)).toMatchObject(push);
    expect(body.length).toBeLessThanOrEqual(maxPushBytes);
  });

  test('is read while the secret key is rotated, and its confirmation is valid for the sender', () => {
    const { body, signature } = createPush(keys, push);
    const read = readPush([randomBytes(32), ...keys], body, signature);
    expect(isConfirmation(keys, body, read!.confirmation)).toBe(true);
  });

  test.each([
    ['another key', (body: string, signature: string) => [[randomBytes(32)], body, signature]],
    ['another body', (body: string, signature: string) => [keys, body.replace(push.siteId, randomUUID()), signature]],
    ['no signature', (body: string) => [keys, body, '']],
    ['a signature of another length', (body: string, signature: string) => [keys, body, `${signature}00`]],
  ] as const)('is refused with %s', (_, change) => {
    const { body, signature } = createPush(keys, push);
    const [withKeys, changedBody, changedSignature] = change(body, signature);
    expect(readPush(withKeys as Buffer[], changedBody as string, changedSignature as string)).toBeNull();
  });
});

// rule: threat.70
describe('a confirmation', () => {
  test('confirms one push: a later push of the same swap needs another', () => {
    const [first, second] = [createPush(keys, push), createPush(keys, push)];
    const { confirmation } = readPush(keys, first.body, first.signature)!;
    expect(isConfirmation(keys, first.body, confirmation)).toBe(true);
    expect(isConfirmation(keys, second.body, confirmation)).toBe(false);
  });

  test('cannot be made from the signature of the push', () => {
    const { body, signature } = createPush(keys, push);
    expect(isConfirmation(keys, body, signature)).toBe(false);
    expect(isConfirmation(keys, body, '')).toBe(false);
  });
});
