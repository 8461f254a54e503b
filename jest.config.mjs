/** `unit` needs nothing, `chart` needs helm (test/harness/helm.ts), `stack` runs against real engines, two gateways and two edges. */
const shared = {
  rootDir: import.meta.dirname,
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/harness/transform.mjs' },
  setupFilesAfterEnv: ['<rootDir>/test/harness/retry.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.fieldstone', '<rootDir>/.stryker-tmp'],
};
const stackFolders = ['contract', 'workflows', 'security', 'e2e'];

export default {
  maxWorkers: 2,
  testTimeout: 60_000,
  projects: [
    { ...shared, displayName: 'unit', testMatch: ['<rootDir>/test/unit/**/*.test.ts'] },
    { ...shared, displayName: 'chart', testMatch: ['<rootDir>/test/k8s/chart/**/*.test.ts'] },
    {
      ...shared,
      displayName: 'stack',
      testMatch: stackFolders.map((folder) => `<rootDir>/test/${folder}/**/*.test.ts`),
      setupFilesAfterEnv: [...shared.setupFilesAfterEnv, '<rootDir>/test/harness/record-fetch.ts'],
      globalSetup: '<rootDir>/test/harness/global-setup.ts',
      globalTeardown: '<rootDir>/test/harness/global-teardown.ts',
    },
  ],
};
