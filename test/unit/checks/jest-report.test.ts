import { expect, test } from '@jest/globals';
import {
  countPassedIn,
  type JestReport,
  listFailedFiles,
  listFlakyTests,
  listFolderTimes,
  listSkippedTests,
} from '../../../scripts/test-steps/jest-report.ts';

const file = (name: string, ms: number, tests: [string, string][]) => ({
  name: `/checkout/test/${name}`,
  status: tests.length > 0 && tests.every(([, status]) => status !== 'failed') ? 'passed' : 'failed',
  startTime: 1000,
  endTime: 1000 + ms,
  assertionResults: tests.map(([fullName, status]) => ({ fullName, status })),
});

const report: JestReport = {
  numPassedTests: 3,
  numFailedTests: 1,
  numRuntimeErrorTestSuites: 0,
  testResults: [
    file('unit/core/slug.test.ts', 1500, [['a', 'passed']]),
    file('e2e/components.test.ts', 100, [
      ['a group shows a page (needs chromium)', 'pending'],
      ['another (needs chromium)', 'pending'],
      ['a third', 'pending'],
    ]),
    file('unit/media/plan.test.ts', 2500, [
      ['b', 'passed'],
      ['c', 'failed'],
      ['d', 'passed'],
    ]),
  ],
};

test('the time of a run is told for each folder of tests', () => {
  expect(listFolderTimes(report, '/checkout')).toEqual([
    '   e2e: 0 passed in 1 files, 0 s of work',
    '   unit: 3 passed in 2 files, 4 s of work',
  ]);
});

test('tests that were left out are listed by file, with the reason that their names give', () => {
  expect(listSkippedTests(report, '/checkout')).toEqual([
    'e2e/components.test.ts: 2 tests, needs chromium',
    'e2e/components.test.ts: 1 test, no reason is given',
  ]);
});

const withFailures: JestReport = {
  ...report,
  testResults: [...report.testResults, file('unit/not-loaded.test.ts', 10, [])],
};
const failedFiles = ['/checkout/test/unit/media/plan.test.ts', '/checkout/test/unit/not-loaded.test.ts'];

test('a file with a failed test has failed, and so has a file that could not be loaded', () => {
  expect(listFailedFiles(withFailures)).toEqual(failedFiles);
  expect(countPassedIn(withFailures, failedFiles)).toBe(2);
});

test('a test or file that passes the second time is flaky', () => {
  const testResults = [
    file('unit/media/plan.test.ts', 10, [['c', 'passed']]),
    file('unit/not-loaded.test.ts', 10, [['e', 'passed']]),
  ];
  const flaky = listFlakyTests(withFailures, { ...report, testResults }, '/checkout');
  expect(flaky).toEqual(['unit/media/plan.test.ts: c', 'unit/not-loaded.test.ts']);
});

test('what fails the second time too is not flaky', () => {
  expect(listFlakyTests(withFailures, withFailures, '/checkout')).toEqual([]);
});
