import { expect, test } from '@jest/globals';
import { grants, type Scope, scopes } from '../../../services/core/scopes.ts';

const specified = [
  ...['sites:read', 'sites:write', 'content:read', 'content:write', 'media:read', 'media:write', 'components:write'],
  ...['shell:read', 'shell:write', 'translations:manage', 'publish', 'jobs:read'],
  ...['backup:read', 'backup:run', 'backup:restore', 'admin'],
] as Scope[];

test('the vocabulary is that of the specification', () => {
  expect(Object.keys(scopes)).toEqual(specified);
});

test('only admin implies another scope', () => {
  const implied = specified.flatMap((held) =>
    specified.filter((needed) => needed !== held && grants([held], needed)).map(() => held),
  );
  expect(new Set(implied)).toEqual(new Set(['admin']));
  expect(specified.every((needed) => grants(['admin'], needed))).toBe(true);
});
