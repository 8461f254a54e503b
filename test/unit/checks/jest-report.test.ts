import { expect, test } from '@jest/globals';
import { type JestReport, listFolderTimes, listSkippedTests } from '../../../scripts/test-steps/jest-report.ts';

const file = (name: string, ms: number, tests: [string, string][]) => ({
  name: `/checkout/test/${name}`,
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
