import { findTemporal } from '../../services/engines-local/find-temporal.ts';
import type { Progress } from '../../services/engines-local/progress.ts';
import { findS3Server, noS3Server } from '../../test/harness/s3-server.ts';
import { type Outcome, runJest } from './run.ts';

/** Prints progress at the beginning and every half minute, because Go builds for minutes. */
function report({ doing, elapsedSeconds }: Progress): void {
  if (elapsedSeconds % 30 === 0) process.stdout.write(`${doing} (${elapsedSeconds} s)\n`);
}

/** Returns why this machine cannot run an S3 server; null if it can. S3_ENDPOINT names another one. */
export function needsS3(): string | null {
  return process.env.S3_ENDPOINT || findS3Server() ? null : noS3Server;
}

/**
 * Runs the stack tests again on Temporal and an S3 server, with two workers, and the tests for these engines only
 * (jest.config.mjs). Skipped with the reason if there is no Temporal; TEMPORAL_ADDRESS names one.
 */
export async function runCluster(): Promise<Outcome> {
  try {
    if (!process.env.TEMPORAL_ADDRESS) await findTemporal(process.env, report);
  } catch (error) {
    return { passed: 0, failed: 0, skipped: [(error as Error).message] };
  }
  return runJest('stack', { env: { FIELDSTONE_TEST_STACK_ENGINES: 'cluster', FIELDSTONE_TEST_RUN: 'cluster' } });
}
