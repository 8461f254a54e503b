import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { makeEndpointSecret } from '../../../services/features/events/secrets.ts';
import { signEvent } from '../../../services/features/events/sign-event.ts';

test('an independent library accepts every message with each of its secrets, and no other', () => {
  fc.assert(
    fc.property(fc.json(), fc.integer({ min: 1, max: 2 }), (body, count) => {
      const secrets = Array.from({ length: count }, makeEndpointSecret);
      const headers = signEvent(randomUUID(), Buffer.from(body), secrets, Date.now());
      for (const secret of secrets) new Webhook(secret).verify(body, headers);
      expect(() => new Webhook(makeEndpointSecret()).verify(body, headers)).toThrow();
      expect(() => new Webhook(secrets[0]!).verify(`${body} `, headers)).toThrow();
      expect(() => new Webhook(secrets[0]!).verify(body, { ...headers, 'webhook-id': randomUUID() })).toThrow();
    }),
    { numRuns: 50 },
  );
});

test('the library signs the same', () => {
  const secret = makeEndpointSecret();
  const now = new Date(1_795_240_000_000);
  const headers = signEvent('msg', Buffer.from('{"ü":1}'), [secret], now.getTime());
  expect(headers['webhook-timestamp']).toBe('1795240000');
  expect(headers['webhook-signature']).toBe(new Webhook(secret).sign('msg', now, '{"ü":1}'));
});
