import base from './jest.config.mjs';

// For Stryker (npm run mutate): the quick unit tests of the mutated files. Property tests and fuzzing are excluded: they would
// detect more mutants, but take a hundred times as long.
const { displayName: _name, ...unit } = base.projects.find(({ displayName }) => displayName === 'unit');

export default {
  ...unit,
  testTimeout: 60_000,
  testMatch: [
    '<rootDir>/test/unit/core/(scopes|slug).test.ts',
    '<rootDir>/test/unit/fetch/(address|own-address).test.ts',
    '<rootDir>/test/unit/gateway/refused-body.test.ts',
    '<rootDir>/test/unit/gateway/stages/*.test.ts',
    '<rootDir>/test/unit/keys/format.test.ts',
    '<rootDir>/test/unit/core/preview-token.test.ts',
    '<rootDir>/test/unit/sanitize/(attributes|characters|clean|corpus|markup|removal|tree|urls|warnings).test.ts',
    '<rootDir>/test/unit/inbound/signature.test.ts',
  ],
};
