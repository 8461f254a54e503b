import { spawnSync } from 'node:child_process';
import type { Command } from 'commander';
import { command } from '../run-command.ts';
import { type RoleName, roleArguments, roleNames } from '../up/roles.ts';

const descriptions: Record<RoleName, string> = {
  gateway: 'serve the REST API and inbound webhooks',
  worker: 'build and publish sites',
  edge: 'serve sites to visitors',
};

/**
 * Replaces this process by the role: in a container it is the first process, so signals must reach the role itself. Its
 * engines come from the environment.
 */
async function becomeRole(role: RoleName, { json }: { json?: boolean }): Promise<void> {
  const args = [...roleArguments(role), ...(json ? ['--json'] : [])];
  if (process.execve) process.execve(process.execPath, [process.execPath, ...args], { ...process.env });
  // Windows cannot replace a process
  process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
}

/** Adds `fieldstone gateway`, `worker` and `edge`. */
export function register(program: Command): void {
  for (const role of roleNames) {
    program
      .command(role)
      .description(`${descriptions[role]} (one role, for containers)`)
      .option('--json', 'print an error as JSON; a role always logs JSON')
      .action(command((options: { json?: boolean }) => becomeRole(role, options)));
  }
}
