import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { CliError, toSentence } from './run-command.ts';

const mainFile = path.join(import.meta.dirname, 'main.ts');

/**
 * Runs another command of this program in a process of its own and answers what it prints with `--json`. What it loads is
 * gone from memory with it, which matters for a process as long-lived as `up`. Throws the command's own sentence.
 */
export async function runChild<T>(args: string[], env: Record<string, string>, signal: AbortSignal): Promise<T> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [mainFile, ...args, '--json'], { env, signal });
    return JSON.parse(stdout) as T;
  } catch (error) {
    signal.throwIfAborted();
    const said = (error as { stderr?: string }).stderr?.trim();
    throw new CliError(said || toSentence(error), { cause: error });
  }
}
