import { expect, test } from '@jest/globals';
import {
  countPassedIn,
  type JestReport,
  listFailedFiles,
  listFlakyTests,
} from '../../../scripts/test-steps/jest-report.ts';

/** Creates a report: for each file its status and the statuses of its tests. */
function reportOf(files: Record<string, { status: string; tests: Record<string, string> }>): JestReport {
  const testResults = Object.entries(files).map(([name, { status, tests }]) => ({
    name,
    status,
    startTime: 0,
    endTime: 0,
    assertionResults: Object.entries(tests).map(([fullName, result]) => ({ fullName, status: result })),
  }));
  return { numPassedTests: 0, numFailedTests: 0, numRuntimeErrorTestSuites: 0, testResults };
}

const first = reportOf({
  '/x/test/a.test.ts': { status: 'passed', tests: { one: 'passed' } },
  '/x/test/b.test.ts': { status: 'failed', tests: { two: 'passed', three: 'failed', four: 'failed' } },
  '/x/test/c.test.ts': { status: 'failed', tests: {} },
});
const failedFiles = ['/x/test/b.test.ts', '/x/test/c.test.ts'];

test('a file with a failed test failed, and so did one that could not be loaded', () => {
  expect(listFailedFiles(first)).toEqual(failedFiles);
  expect(countPassedIn(first, failedFiles)).toBe(1);
});

test('a test that passes the second time is flaky; one that fails again is not', () => {
  const second = reportOf({
    '/x/test/b.test.ts': { status: 'failed', tests: { two: 'passed', three: 'passed', four: 'failed' } },
    '/x/test/c.test.ts': { status: 'passed', tests: { five: 'passed' } },
  });
  expect(listFlakyTests(first, second, '/x')).toEqual(['b.test.ts: three', 'c.test.ts']);
});

test('a file that cannot be loaded the second time either is not flaky', () => {
  expect(listFlakyTests(first, first, '/x')).toEqual([]);
});
