import { rmSync, writeFileSync } from 'node:fs';
import { repliesFile } from './replies.ts';
import { stackFile, startStack } from './stack.ts';

/** Once per run: the whole stack, whose addresses the tests read from a file. FIELDSTONE_TEST_STACK=reuse takes the one that runs. */
export default async function setup(): Promise<void> {
  if (process.env.FIELDSTONE_TEST_STACK === 'reuse') return;
  rmSync(repliesFile, { force: true });
  const stack = await startStack();
  const { stop, ...info } = stack;
  writeFileSync(stackFile, JSON.stringify(info));
  (globalThis as { stopStack?: () => Promise<void> }).stopStack = stop;
}
