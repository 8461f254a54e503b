import { expect, test } from '@jest/globals';
import { problem } from '../../../services/core/errors.ts';
import { createBuilder } from '../../../services/features/publishing/builder.ts';
import { askPublish, builderApp, insertBareSite, readJob } from '../../harness/bare-site.ts';
import { provideOwnDatabase } from '../../harness/own-database.ts';

const own = provideOwnDatabase();

/** Runs one attempt of a build on a store in which every read fails with this error. */
async function attempt(siteId: string, error: Error | null, buildRefusedMs: number, number = 1) {
  const failing = error ? { ...own.objects, getBytes: () => Promise.reject(error) } : own.objects;
  const builder = createBuilder(builderApp(own.db, failing, { buildRefusedMs }));
  const call = { signal: new AbortController().signal, attempt: number };
  try {
    return await builder.build({ siteId, target: 'live' }, call).catch((thrown: Error) => thrown.message);
  } finally {
    await builder.close();
  }
}

const refusal = (code: string) => problem('unavailable', `The store refuses it (${code}).`, { refusedAs: code });
const away = problem('unavailable', 'The store cannot be reached.');
const wait = () => new Promise((resolve) => setTimeout(resolve, 50));

// rule: threat.41
test('a job that is retried says why while it is running, and no more when it has succeeded', async () => {
  const siteId = await insertBareSite(own.db, own.objects);
  const job = await askPublish(own.db, siteId);
  expect(await attempt(siteId, refusal('AccessDenied'), 60_000)).toBe('The store refuses it (AccessDenied).');
  expect(await readJob(own.db, job)).toMatchObject({
    status: 'running',
    error: 'The store refuses it (AccessDenied).',
  });
  expect(await attempt(siteId, null, 60_000)).toEqual({ result: 'succeeded' });
  expect(await readJob(own.db, job)).toMatchObject({ status: 'succeeded', error: null });
});

// rule: threat.41
test('the same refusal for long enough fails the job with its cause', async () => {
  const siteId = await insertBareSite(own.db, own.objects);
  const job = await askPublish(own.db, siteId);
  await attempt(siteId, refusal('AccessDenied'), 20);
  await wait();
  expect(await attempt(siteId, refusal('AccessDenied'), 20)).toEqual({ result: 'failed' });
  expect(await readJob(own.db, job)).toMatchObject({ status: 'failed', error: 'The store refuses it (AccessDenied).' });
});

test('another refusal, or an engine that is away in between, begins the time again', async () => {
  const siteId = await insertBareSite(own.db, own.objects);
  const job = await askPublish(own.db, siteId);
  for (const error of [refusal('AccessDenied'), away, refusal('AccessDenied'), refusal('QuotaExceeded'), away, away]) {
    await attempt(siteId, error, 20);
    await wait();
  }
  expect(await readJob(own.db, job)).toMatchObject({ status: 'running', error: 'The store cannot be reached.' });
});
