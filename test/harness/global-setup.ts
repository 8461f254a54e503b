import { rmSync, writeFileSync } from 'node:fs';
import { repliesFile } from './replies.ts';
import { stackFile, startStack } from './stack.ts';

/**
 * Starts the whole stack and writes a file with its URLs for the tests. FIELDSTONE_TEST_STACK=reuse uses the running
 * one.
 */
export async function setUpStack(extraEnv: Record<string, string> = {}): Promise<void> {
  if (process.env.FIELDSTONE_TEST_STACK === 'reuse') return;
  // the second run of failed files adds to the replies of the first
  if (process.env.FIELDSTONE_TEST_AGAIN !== 'true') rmSync(repliesFile, { force: true });
  const stack = await startStack(extraEnv);
  const { stop, ...info } = stack;
  writeFileSync(stackFile, JSON.stringify(info));
  (globalThis as { stopStack?: () => Promise<void> }).stopStack = stop;
}

/** Once per run. */
export default () => setUpStack();
