import { type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import {
  countPassedIn,
  type JestReport,
  listFailedFiles,
  listFlakyTests,
  listFolderTimes,
  listSkippedTests,
} from './jest-report.ts';

/** The result of a step. */
export interface Outcome {
  passed: number;
  failed: number;
  /** One reason for each part that was skipped; empty if the step was complete. */
  skipped: string[];
  /** The tests that failed, and passed when their file ran again. */
  flaky?: string[];
}

const root = path.join(import.meta.dirname, '..', '..');

/**
 * Runs a program in the checkout and shows its output. With `listen`, collects the lines `SKIPPED: reason` of its
 * standard output; without it, the program writes to the terminal directly. Returns its exit code (1 if a signal ended
 * it) and the reasons.
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

/** Runs jest once. Returns its exit code and its report, which is null if jest did not get that far. */
async function runJestOnce(args: string[], env: Record<string, string>): Promise<[number, JestReport | null]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'fieldstone-jest-'));
  const file = path.join(folder, 'report.json');
  const jest = ['--experimental-vm-modules', '--no-warnings', path.join(root, 'node_modules/jest/bin/jest.js')];
  const [status] = await runProgram(process.execPath, [...jest, '--json', `--outputFile=${file}`, ...args], { env });
  const report = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as JestReport) : null;
  rmSync(folder, { recursive: true });
  return [status, report];
}

/** With more failed files, the cause is not chance, and a second run would only take time. */
const maxFilesAgain = 5;

/**
 * Runs projects of jest (jest.config.mjs), or their files whose paths match a pattern, with additional environment
 * variables. Files with failed tests run once more, alone; tests that pass then are reported as flaky
 * (docs/decisions/0801).
 */
export async function runJest(
  projects: string | string[],
  { patterns = [], env = {} }: { patterns?: string[]; env?: Record<string, string> } = {},
): Promise<Outcome> {
  const selected = ['--selectProjects', ...[projects].flat()];
  const byPattern = patterns.length > 0 ? ['--testPathPatterns', ...patterns] : [];
  const [status, report] = await runJestOnce([...selected, ...byPattern], env);
  if (!report) return { passed: 0, failed: 1, skipped: [] };
  for (const line of listFolderTimes(report, root)) process.stdout.write(`${line}\n`);
  const skipped = listSkippedTests(report, root);
  const files = listFailedFiles(report);
  if (files.length === 0 || files.length > maxFilesAgain) return { ...countTests(status, report), skipped };
  process.stdout.write(`Running ${files.length} failed ${files.length === 1 ? 'file' : 'files'} once more, alone.\n`);
  const again = { ...env, FIELDSTONE_TEST_AGAIN: 'true' };
  const [statusAgain, reportAgain] = await runJestOnce(
    [...selected, '--runInBand', '--runTestsByPath', ...files],
    again,
  );
  if (!reportAgain) return { ...countTests(status, report), skipped };
  const { passed, failed } = countTests(statusAgain, reportAgain);
  const kept = report.numPassedTests - countPassedIn(report, files);
  return { passed: kept + passed, failed, skipped, flaky: listFlakyTests(report, reportAgain, root) };
}

/** Counts the tests of a run. A file that could not be loaded has no failed test, but counts as one. */
function countTests(status: number, report: JestReport): Pick<Outcome, 'passed' | 'failed'> {
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
  return { passed: report.numPassedTests, failed: failed === 0 && status !== 0 ? 1 : failed };
}

/** Runs both, one after the other, and adds up their results. */
export async function runBoth(first: () => Promise<Outcome>, second: () => Promise<Outcome>): Promise<Outcome> {
  const [one, other] = [await first(), await second()];
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: [...one.skipped, ...other.skipped],
    flaky: [...(one.flaky ?? []), ...(other.flaky ?? [])],
  };
}
