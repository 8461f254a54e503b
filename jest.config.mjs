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
  'e2e/(api-docs|backups-whole|cockroach-command|component-names|domains-on-demand|first-sign-in|local-engines)',
  'e2e/(moving-objects|readme|shell-files|dashboard/.*)',
  'contract/(accounts-cli|agents-.*|audit|authentication|authoring-guide|canonical-url|cli-.*|client|documented-errors)',
  'contract/(content-(batch|by-ref|create|list|markdown|revisions|slugs|stored-only|translations|trash|types|update))',
  'contract/(dashboard-.*|domain-proof|envelope|event-loop|events-(cli|endpoints)|fields|hostile-bodies|idempotency)',
  'contract/(languages|large-(lists|records)|lists|lost-updates|media-(focal-point|library|usage)|missing-references)',
  'contract/(offered-upgrade|order-of-checks|people-.*|rate-limits|redirects(-own-domain)?|request-.*|roles-.*|scripts)',
  'contract/(shell-(cli|dev|diff|files)|site-hosts|sites|unknown-outcome)',
  'contract/webhooks-(cli|endpoint|integrations|refused|signing-examples|slow-senders|suspects)',
];

const onStack = {
  ...shared,
  setupFilesAfterEnv: ['<rootDir>/test/harness/wide-timeouts.ts', '<rootDir>/test/harness/record-fetch.ts'],
  globalSetup: '<rootDir>/test/harness/global-setup.ts',
  globalTeardown: '<rootDir>/test/harness/global-teardown.ts',
};

export default {
  maxWorkers: 2,
  testSequencer: '<rootDir>/test/harness/sequencer.mjs',
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
