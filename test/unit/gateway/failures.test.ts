import { expect, test } from '@jest/globals';
import { problem } from '../../../services/core/errors.ts';
import type { Context } from '../../../services/gateway/context.ts';
import { problemReply } from '../../../services/gateway/envelope.ts';
import { runStages } from '../../../services/gateway/pipeline.ts';

const inside = 'SELECT secret_hash FROM api_keys at /srv/app/sql.ts:12';

test('a fault of ours is 500 internal_error, and tells nothing of the inside', () => {
  const reply = problemReply(new TypeError(inside));
  expect([reply.status, reply.headers['Content-Type']]).toEqual([500, 'application/json; charset=utf-8']);
  expect(JSON.parse(String(reply.bytes))).toEqual({
    success: false,
    error: { code: 'internal_error', message: expect.stringContaining('request id') },
  });
  expect(String(reply.bytes)).not.toMatch(/SELECT|srv|TypeError/);
});

test('whichever stage throws, the request ends with that answer and the log has the cause', async () => {
  const logged: unknown[] = [];
  const ctx = { app: { log: { error: (entry: unknown) => logged.push(entry) } } } as unknown as Context;
  const fault = new TypeError(inside);
  const reply = await runStages([() => undefined, () => Promise.reject(fault)], ctx);
  expect(reply?.status).toBe(500);
  expect(logged).toEqual([expect.objectContaining({ err: fault })]);
});

test('an error of the catalogue says what it is, when to come back, and is no fault to log', async () => {
  const ctx = { app: {} } as Context;
  const reply = await runStages(
    [() => Promise.reject(problem('unavailable', 'Later.', { retryAfterSeconds: 1.2 }))],
    ctx,
  );
  expect([reply?.status, reply?.headers['Retry-After']]).toEqual([503, '2']);
  expect(JSON.parse(String(reply?.bytes))).toEqual({
    success: false,
    error: { code: 'unavailable', message: 'Later.' },
  });
});

// rule: idempotency.5, break.33
test.each([
  ['a fault of ours', new TypeError(inside), 'released'],
  ['500', problem('internal_error', 'x'), 'released'],
  ['503', problem('unavailable', 'x'), 'released'],
  ['429', problem('rate_limited', 'x'), 'released'],
  ['409 in flight', problem('idempotency_in_flight', 'x'), 'released'],
  ['another 409', problem('conflict', 'x'), 'completed 409'],
  ['404', problem('not_found', 'x'), 'completed 404'],
  ['422', problem('validation_failed', 'x'), 'completed 422'],
])('after %s a claimed Idempotency-Key is as it must be, and no longer renewed', async (_name, fault, expected) => {
  const done: string[] = [];
  const claim = {
    complete: async (_db: unknown, { status }: { status: number }) => done.push(`completed ${status}`),
    release: async () => done.push('released'),
    stop: () => done.push('stopped'),
  };
  const ctx = { app: { log: { error: () => undefined } }, claim } as unknown as Context;
  await runStages([() => Promise.reject(fault)], ctx);
  expect(done).toEqual([expected, 'stopped']);
});
