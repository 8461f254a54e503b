import { findTemporal } from '../../services/engines-local/find-temporal.ts';
import type { Progress } from '../../services/engines-local/progress.ts';
import { findS3Server, noS3Server } from '../../test/harness/s3-server.ts';
import { type Outcome, runJest } from './run.ts';

/** Says what is done, at its begin and every half minute: Go builds for minutes. */
function report({ doing, elapsedSeconds }: Progress): void {
  if (elapsedSeconds % 30 === 0) process.stdout.write(`${doing} (${elapsedSeconds} s)\n`);
}

/** Why this machine can have no S3 server, null when it can; S3_ENDPOINT names another one. */
export function needsS3(): string | null {
  return process.env.S3_ENDPOINT || findS3Server() ? null : noS3Server;
}

/**
 * The tests of the stack once more on Temporal and an S3 server, with two workers, and those that are about these engines alone
 * (jest.config.mjs). Skipped with the reason where no Temporal can be had; TEMPORAL_ADDRESS names another one.
 */
export async function runCluster(): Promise<Outcome> {
  try {
    if (!process.env.TEMPORAL_ADDRESS) await findTemporal(process.env, report);
  } catch (error) {
    return { passed: 0, failed: 0, skipped: [(error as Error).message] };
  }
  return runJest('stack', { env: { FIELDSTONE_TEST_STACK_ENGINES: 'cluster', FIELDSTONE_TEST_RUN: 'cluster' } });
}
