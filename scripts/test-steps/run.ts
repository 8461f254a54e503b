import { type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { type JestReport, listFolderTimes, listSkippedTests } from './jest-report.ts';

/** The result of a step. `skipped`: one reason for each part that was skipped; empty if the step was complete. */
export interface Outcome {
  passed: number;
  failed: number;
  skipped: string[];
}

const root = path.join(import.meta.dirname, '..', '..');

/**
 * Runs a program in the checkout and shows its output. With `listen`, collects the lines `SKIPPED: reason` of its standard output;
 * without it, the program writes to the terminal directly. Returns its exit code (1 if a signal ended it) and the reasons.
 */
async function runProgram(
  command: string,
  args: string[],
  { listen = false, env = {} }: { listen?: boolean; env?: Record<string, string> } = {},
): Promise<[number, string[]]> {
  const stdio: StdioOptions = ['inherit', listen ? 'pipe' : 'inherit', 'inherit'];
  const child = spawn(command, args, { cwd: root, stdio, env: { ...process.env, ...env } });
  const exited = once(child, 'exit');
  const skipped: string[] = [];
  if (child.stdout) {
    for await (const line of createInterface({ input: child.stdout })) {
      process.stdout.write(`${line}\n`);
      const reason = /^SKIPPED: (.+)$/.exec(line)?.[1];
      if (reason) skipped.push(reason);
    }
  }
  const [status] = (await exited) as [number | null];
  return [status ?? 1, skipped];
}

const asOneTest = (status: number, skipped: string[] = []): Outcome => ({
  passed: status === 0 ? 1 : 0,
  failed: status === 0 ? 0 : 1,
  skipped,
});

/** Runs a program of `node_modules/.bin` that succeeds or fails. It counts as one test. */
export async function runTool(name: string, ...args: string[]): Promise<Outcome> {
  const [status] = await runProgram(path.join(root, 'node_modules', '.bin', name), args);
  return asOneTest(status);
}

/** Runs a TypeScript file of the checkout that succeeds or fails. It counts as one test. */
export async function runScript(file: string, ...args: string[]): Promise<Outcome> {
  return asOneTest(...(await runProgram(process.execPath, [path.join(root, file), ...args], { listen: true })));
}

/** Runs projects of jest (jest.config.mjs), or their files whose paths match a pattern, with additional environment variables. */
export async function runJest(
  projects: string | string[],
  { patterns = [], env = {} }: { patterns?: string[]; env?: Record<string, string> } = {},
): Promise<Outcome> {
  const folder = mkdtempSync(path.join(tmpdir(), 'fieldstone-jest-'));
  const file = path.join(folder, 'report.json');
  const jest = ['--experimental-vm-modules', '--no-warnings', path.join(root, 'node_modules/jest/bin/jest.js')];
  const args = ['--selectProjects', ...[projects].flat(), '--json', `--outputFile=${file}`];
  if (patterns.length > 0) args.push('--testPathPatterns', ...patterns);
  const [status] = await runProgram(process.execPath, [...jest, ...args], { env });
  const report = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as JestReport) : null;
  rmSync(folder, { recursive: true });
  if (!report) return { passed: 0, failed: 1, skipped: [] };
  for (const line of listFolderTimes(report, root)) process.stdout.write(`${line}\n`);
  // a file that could not be loaded contains no failed test, but failed
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
  const skipped = listSkippedTests(report, root);
  return { passed: report.numPassedTests, failed: failed === 0 && status !== 0 ? 1 : failed, skipped };
}

/** Runs both, one after the other, and adds up their results. */
export async function runBoth(first: () => Promise<Outcome>, second: () => Promise<Outcome>): Promise<Outcome> {
  const [one, other] = [await first(), await second()];
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: [...one.skipped, ...other.skipped],
  };
}
