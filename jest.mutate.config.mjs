import base from './jest.config.mjs';

// For Stryker (npm run mutate): the quick unit tests of the mutated files, without second tries, which would only make a killed
// mutant slow. Properties and fuzzing stay out: they would kill more, at a hundred times the time.
const { displayName: _name, ...unit } = base.projects.find(({ displayName }) => displayName === 'unit');

export default {
  ...unit,
  testTimeout: 60_000,
  setupFilesAfterEnv: [],
  testMatch: [
    '<rootDir>/test/unit/core/slug.test.ts',
    '<rootDir>/test/unit/webhooks/signature.test.ts',
    '<rootDir>/test/unit/sanitize/(clean|corpus|warnings).test.ts',
    '<rootDir>/test/unit/gateway/stages/*.test.ts',
  ],
};
