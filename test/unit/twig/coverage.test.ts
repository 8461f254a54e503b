import { expect, test } from '@jest/globals';
import { binaryOperators, unaryOperators } from '../../../services/twig/parse/operators.ts';
import { tagParsers } from '../../../services/twig/parse/parse-tags.ts';
import { builtinFilters, builtinFunctions, builtinTests } from '../../../services/twig/runtime/builtins.ts';
import { readTables } from './conformance/cases.ts';

const text = readTables()
  .flatMap(([, cases]) =>
    cases.filter((entry) => entry.expected !== undefined).flatMap((entry) => Object.values(entry.templates)),
  )
  .join('\n');
const escapeRegex = (name: string) => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
const missing = (names: Iterable<string>, pattern: (name: string) => string) =>
  [...names].filter((name) => !new RegExp(pattern(escapeRegex(name))).test(text));

test('the conformance table has a case for every tag', () => {
  expect(missing([...tagParsers.keys(), 'verbatim'], (name) => `\\{%[-~]? ${name}\\b`)).toEqual([]);
});

test('the conformance table has a case for every filter', () => {
  expect(missing(builtinFilters.keys(), (name) => `(\\||apply )${name}\\b`)).toEqual([]);
});

test('the conformance table has a case for every function', () => {
  expect(
    missing([...builtinFunctions.keys(), 'include', 'block', 'parent', 'attribute'], (name) => `\\b${name}\\(`),
  ).toEqual([]);
});

test('the conformance table has a case for every test', () => {
  expect(missing([...builtinTests.keys(), 'defined'], (name) => `is (not )?${name}\\b`)).toEqual([]);
});

test('the conformance table has a case for every operator', () => {
  expect(missing([...binaryOperators.keys(), ...unaryOperators.keys(), '?:', '?.'], (name) => name)).toEqual([]);
});
