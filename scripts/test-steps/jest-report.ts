import path from 'node:path';

/** The part of jest's `--json` report that is used here. */
export interface JestReport {
  numPassedTests: number;
  numFailedTests: number;
  numRuntimeErrorTestSuites: number;
  testResults: {
    /** Absolute path of the file. */
    name: string;
    /** `failed` also for a file that could not be loaded. */
    status: string;
    /** Milliseconds since 1970. */
    startTime: number;
    endTime: number;
    assertionResults: { fullName: string; status: string }[];
  }[];
}

/** Returns the folder of a test file: `test/e2e/tls.test.ts` → `e2e`; files below `test/k8s/chart` → `k8s/chart`. */
const folderOf = (file: string, root: string) => path.dirname(path.relative(path.join(root, 'test'), file));

/**
 * Lists the time of a run: one line per folder directly below `test`, with its number of files and passed tests, and
 * the seconds of all its files together. Files run in parallel, so the sum exceeds the time of the step.
 */
export function listFolderTimes({ testResults }: JestReport, root: string): string[] {
  const folders = new Map<string, { files: number; passed: number; ms: number }>();
  for (const { name, startTime, endTime, assertionResults } of testResults) {
    const [folder = ''] = folderOf(name, root).split(path.sep);
    const sum = folders.get(folder) ?? { files: 0, passed: 0, ms: 0 };
    sum.files++;
    sum.passed += assertionResults.filter(({ status }) => status === 'passed').length;
    sum.ms += endTime - startTime;
    folders.set(folder, sum);
  }
  return [...folders]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(
      ([folder, { files, passed, ms }]) =>
        `   ${folder}: ${passed} passed in ${files} files, ${Math.round(ms / 1000)} s of work`,
    );
}

/** Lists skipped tests: one entry per file and reason. Their names contain the reason (test/harness/programs.ts). */
export function listSkippedTests({ testResults }: JestReport, root: string): string[] {
  return testResults.flatMap(({ name, assertionResults }) => {
    const counts = new Map<string, number>();
    for (const { fullName, status } of assertionResults) {
      if (status !== 'pending') continue;
      const reason = /\((needs [^()]+)\)/.exec(fullName)?.[1] ?? 'no reason is given';
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
    }
    const file = path.relative(path.join(root, 'test'), name);
    return [...counts].map(([reason, count]) => `${file}: ${count} ${count === 1 ? 'test' : 'tests'}, ${reason}`);
  });
}

/** Returns the absolute paths of the files with a failed test, or that could not be loaded. */
export function listFailedFiles({ testResults }: JestReport): string[] {
  return testResults.filter(({ status }) => status === 'failed').map(({ name }) => name);
}

/** Counts the passed tests of some files. */
export function countPassedIn({ testResults }: JestReport, files: readonly string[]): number {
  const results = testResults.filter(({ name }) => files.includes(name)).flatMap((file) => file.assertionResults);
  return results.filter(({ status }) => status === 'passed').length;
}

/**
 * Lists the tests that failed in the first report and passed in the second: `FILE: NAME`, only the file if it could not
 * be loaded.
 */
export function listFlakyTests(first: JestReport, second: JestReport, root: string): string[] {
  return first.testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, assertionResults }) => {
      const again = second.testResults.find((file) => file.name === name);
      const passed = (test: string) =>
        again?.assertionResults.some(({ fullName, status }) => fullName === test && status === 'passed');
      const file = path.relative(path.join(root, 'test'), name);
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      if (failed.length === 0) return again?.status === 'passed' ? [file] : [];
      return failed.filter(({ fullName }) => passed(fullName)).map(({ fullName }) => `${file}: ${fullName}`);
    });
}
