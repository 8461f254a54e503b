import { expect, test } from '@jest/globals';
import { allowsSite, grants, isScope, type Scope, scopes } from '../../../services/core/scopes.ts';

const specified = [
  ...['sites:read', 'sites:write', 'content:read', 'content:write', 'media:read', 'media:write', 'components:write'],
  ...['shell:read', 'shell:write', 'translations:manage', 'publish', 'jobs:read'],
  ...['backup:read', 'backup:run', 'backup:restore', 'admin'],
] as Scope[];

// rule: service.7, auth.7
test('the vocabulary is that of the specification', () => {
  expect(Object.keys(scopes)).toEqual(specified);
});

// rule: auth.6
test('only admin implies another scope', () => {
  const implied = specified.flatMap((held) =>
    specified.filter((needed) => needed !== held && grants([held], needed)).map(() => held),
  );
  expect(new Set(implied)).toEqual(new Set(['admin']));
  expect(specified.every((needed) => grants(['admin'], needed))).toBe(true);
});

test('a scope is one of the vocabulary and nothing that merely looks like it', () => {
  expect(specified.every(isScope)).toBe(true);
  for (const wrong of ['', 'content', 'content:', 'Content:read', 'content:read ', 'toString', '__proto__']) {
    expect(isScope(wrong)).toBe(false);
  }
});

test('a key is for the sites that its list names, whole, and for every one with a star', () => {
  expect(allowsSite(['a', 'b'], 'b')).toBe(true);
  expect(allowsSite(['*'], 'b')).toBe(true);
  for (const sites of [[], ['a'], ['bb'], ['B'], ['b*'], ['']]) expect(allowsSite(sites, 'b')).toBe(false);
});
