import { execFile } from 'node:child_process';
import path from 'node:path';
import { stack } from './api.ts';

const program = path.join(import.meta.dirname, '../../services/cli/fieldstone.js');

/** Runs `fieldstone` on the stack's engines until it exits. */
export function runCli(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], { env: stack.env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}
