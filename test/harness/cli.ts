import { execFile } from 'node:child_process';
import path from 'node:path';
import { stack } from './api.ts';

const program = path.join(import.meta.dirname, '../../services/cli/fieldstone.js');

interface CliResult {
  code: number;
  stdout: string;
  stderr: string;
}

function run(env: Record<string, string>, args: string[]): Promise<CliResult> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

/** Runs `fieldstone` on the stack's engines until it exits; `runCli.with` with further settings. */
export const runCli = Object.assign((...args: string[]) => run(stack.env, args), {
  with: (settings: Record<string, string>, ...args: string[]) => run({ ...stack.env, ...settings }, args),
});
