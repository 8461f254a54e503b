/**
 * `unit` needs no engine, and neither does `limits`, which starts processes and threads. `service` needs one PostgreSQL
 * (test/harness/service-setup.ts), `chart` helm (test/harness/helm.ts); `stack` runs
 * against real engines, two gateways and two edges.
 */
const shared = {
  rootDir: import.meta.dirname,
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/harness/transform.mjs' },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.fieldstone', '<rootDir>/.stryker-tmp'],
};
/**
 * The same tests run on both kinds of engines (FIELDSTONE_TEST_STACK_ENGINES, test/harness/stack-engines.ts). Tests of
 * Temporal, an S3 server or a second worker are in `test/cluster`, and run only on a cluster's engines.
 */
const isCluster = process.env.FIELDSTONE_TEST_STACK_ENGINES === 'cluster';
const stackFolders = ['contract', 'workflows', 'e2e', isCluster ? 'cluster' : 'security'];
/** These start their own engines, or test what the gateway and SQL alone decide: they would do the same in both runs. */
const sameOnBoth = [
  'e2e/(readme|local-engines|cockroach-command|backups-whole|moving-objects|first-sign-in|dashboard/.*)',
  'contract/(accounts-cli|agents-(oauth|conformance)|cli-.*|dashboard-(administration|operations|pages)|people-.*)',
  'contract/(documented-errors|domain-proof|order-of-checks|roles-policy|rate-limits|idempotency|audit|event-loop)',
  'contract/(authentication|client|fields|languages|lists|redirects|scripts|request-.*|hostile-bodies|lost-updates)',
  'contract/(content-(by-ref|list|markdown|slugs|translations|types)|(events|shell|webhooks)-cli)',
  'contract/(offered-upgrade|unknown-outcome|webhooks-signing-examples)',
];

const onStack = {
  ...shared,
  setupFilesAfterEnv: ['<rootDir>/test/harness/wide-timeouts.ts', '<rootDir>/test/harness/record-fetch.ts'],
  globalSetup: '<rootDir>/test/harness/global-setup.ts',
  globalTeardown: '<rootDir>/test/harness/global-teardown.ts',
};

export default {
  maxWorkers: 2,
  testTimeout: 60_000,
  projects: [
    { ...shared, displayName: 'unit', testMatch: ['<rootDir>/test/unit/**/*.test.ts'] },
    { ...shared, displayName: 'limits', testMatch: ['<rootDir>/test/limits/**/*.test.ts'] },
    {
      ...shared,
      displayName: 'service',
      testMatch: ['<rootDir>/test/service/**/*.test.ts'],
      setupFilesAfterEnv: ['<rootDir>/test/harness/wide-timeouts.ts'],
      globalSetup: '<rootDir>/test/harness/service-setup.ts',
      globalTeardown: '<rootDir>/test/harness/service-teardown.ts',
    },
    { ...shared, displayName: 'chart', testMatch: ['<rootDir>/test/k8s/chart/**/*.test.ts'] },
    {
      ...onStack,
      displayName: 'stack',
      testMatch: stackFolders.map((folder) => `<rootDir>/test/${folder}/**/*.test.ts`),
      testPathIgnorePatterns: isCluster ? sameOnBoth.map((file) => `/test/${file}\\.test`) : [],
    },
    {
      ...onStack,
      displayName: 'neighbours',
      testMatch: ['<rootDir>/test/neighbours/**/*.test.ts'],
      globalSetup: '<rootDir>/test/neighbours/global-setup.ts',
    },
  ],
};
