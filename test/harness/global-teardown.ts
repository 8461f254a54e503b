import { rmSync } from 'node:fs';
import { stackFile } from './stack.ts';

export default async function teardown(): Promise<void> {
  const { stopStack } = globalThis as { stopStack?: () => Promise<void> };
  if (!stopStack) return;
  await stopStack();
  rmSync(stackFile, { force: true });
}
