import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { CliError, type CliErrorCode, toSentence } from './run-command.ts';

const mainFile = path.join(import.meta.dirname, 'main.ts');

/** Parses the error that a command with `--json` printed last on standard error; undefined if it is something else. */
function readError(stderr: string): { code: CliErrorCode; message: string } | undefined {
  try {
    return (JSON.parse(stderr.trim().split('\n').at(-1)!) as { error: { code: CliErrorCode; message: string } }).error;
  } catch {
    return undefined;
  }
}

/**
 * Runs another command of this program in a child process and returns its `--json` output. Its memory is freed with it,
 * which matters for a process as long-lived as `up`. Throws the command's own error.
 */
export async function runChild<T>(args: string[], env: Record<string, string>, signal: AbortSignal): Promise<T> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [mainFile, ...args, '--json'], { env, signal });
    return JSON.parse(stdout) as T;
  } catch (error) {
    signal.throwIfAborted();
    const reported = readError((error as { stderr?: string }).stderr ?? '');
    throw new CliError(reported?.message ?? toSentence(error), { code: reported?.code ?? 'failed', cause: error });
  }
}
