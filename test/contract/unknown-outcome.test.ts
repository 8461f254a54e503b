import { afterAll, expect, test } from '@jest/globals';
import { problemReply } from '../../services/gateway/envelope.ts';
import { closeStack, stackDatabase } from '../harness/api.ts';

afterAll(closeStack);

/** Returns the error that CockroachDB raises when the outcome of a statement is unknown. */
const unknown = () => Object.assign(new Error('result is ambiguous'), { code: '40003' });

// rule: threat.44
test('a transaction whose outcome nobody knows is not run again: 503 with Retry-After, and the sentence says so', async () => {
  let runs = 0;
  const failing = stackDatabase().transaction(async (tx) => {
    runs++;
    await tx.query('SELECT 1 AS one');
    throw unknown();
  });
  const error = await failing.catch((caught: unknown) => caught);
  expect(runs).toBe(1);
  const wire = problemReply(error);
  expect([wire.status, wire.headers['Retry-After']]).toEqual([503, '2']);
  expect(JSON.parse(String(wire.bytes)).error).toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('The outcome of the request is unknown'),
  });
});

test('a single statement, too', async () => {
  const error = await stackDatabase()
    .attempt(() => Promise.reject(unknown()))
    .catch((caught: unknown) => caught);
  expect(problemReply(error).status).toBe(503);
});
