import { describe, expect, test } from '@jest/globals';
import { replaceAt, valueAt } from '../../../services/core/json-pointers.ts';
import { createThreadPool, ThreadFailure } from '../../../services/engines/threads/thread-pool.ts';
import { findSchemaFault, findValueFaults } from '../../../services/features/content/types/check-thread.ts';
import { checkFieldsAtOnce, createFieldChecker } from '../../../services/features/content/types/checker.ts';
import { filterValue, filterValuesOf } from '../../../services/features/content/types/field-values.ts';
import { filtersOf, findHtml } from '../../../services/features/content/types/read-schema.ts';

describe('a schema of fields', () => {
  const html = { type: 'string', format: 'html' };
  test.each([
    {},
    { price: { type: 'number' } },
    { type: 'object', properties: { a: { type: 'integer', 'x-filter': true } }, required: ['a'] },
    { type: 'object', properties: { a: { type: ['string', 'null'], 'x-filter': true } } },
    { type: 'object', properties: { a: html, b: { type: 'object', properties: { c: html } }, d: { items: html } } },
    { type: 'object', properties: { 'x-filter': { type: 'boolean' }, format: { const: 'html' } } },
  ])('%j can be used', (schema) => {
    expect(findSchemaFault(schema)).toBeNull();
  });

  test.each([
    [{ type: 'object', properties: { a: { $ref: 'https://example.com/s.json' } } }, /outside of it/],
    [{ type: 'object', properties: { a: { type: 'text' } } }, /type/],
    [{ type: 'object', properties: { a: { pattern: '(' } } }, /./],
    [{ type: 'object', properties: { a: { type: 'array', 'x-filter': true } } }, /x-filter/],
    [{ type: 'object', properties: { a: { 'x-filter': true } } }, /x-filter/],
    [{ type: 'object', properties: { a: { properties: { b: { type: 'string', 'x-filter': true } } } } }, /x-filter/],
    [{ type: 'object', properties: { a: { anyOf: [html] } } }, /format html/],
    [{ type: 'object', $defs: { h: html }, properties: { a: { $ref: '#/$defs/h' } } }, /format html/],
    [{ type: 'object', additionalProperties: html }, /format html/],
  ])('%j cannot be used', (schema, fault) => {
    expect(findSchemaFault(schema)).toMatch(fault);
  });

  test('says of each value what is wrong and where, and fills nothing in', () => {
    const schema = {
      type: 'object',
      required: ['a'],
      properties: {
        a: { type: 'integer', default: 1 },
        'b/c': { type: 'object', properties: { d: { enum: ['x', 'y'] } } },
      },
      additionalProperties: false,
    };
    const values = [{ a: 1 }, {}, { a: 1, e: 2 }, { a: 'x' }, { a: 1, 'b/c': { d: 'z' } }];
    expect(findValueFaults(schema, values)).toEqual([
      null,
      { path: '/a', message: 'is required' },
      { path: '/e', message: 'is not a member that the schema has' },
      { path: '/a', message: 'must be integer' },
      { path: '/b~1c/d', message: 'must be equal to one of the allowed values: ["x","y"]' },
    ]);
    expect(values[1]).toEqual({});
  });
});

describe('the checker', () => {
  const schema = { properties: { a: { pattern: '^(x+x+)+y$' } } };

  test('refuses, with the path, what takes a thread too long', async () => {
    const checker = createFieldChecker({ run: () => Promise.reject(new ThreadFailure('time', undefined)) });
    const fault = (path: string) => ({ code: 'validation_failed', details: [{ path }] });
    await expect(checker.check('k', schema, [{}])).rejects.toMatchObject(fault('fields'));
    await expect(checker.checkSchema('k', schema)).rejects.toMatchObject(fault('fields_schema'));
  });

  test('checks in a thread as a command does by itself', async () => {
    const threads = createThreadPool({ maxThreads: 1 });
    try {
      const checker = createFieldChecker(threads);
      const values = [{ a: 'xxy' }, { a: 'x' }];
      const faults = await checker.check('k', schema, values);
      expect(faults).toEqual([null, { path: '/a', message: expect.stringContaining('pattern') }]);
      expect(faults).toEqual(await checkFieldsAtOnce.check('k', schema, values));
      expect(await checker.checkSchema('k', schema)).toBeNull();
    } finally {
      await threads.stop();
    }
  });
});

test('texts that are HTML are found where the schema says so', () => {
  const schema = {
    properties: {
      a: { format: 'html' },
      list: { items: { properties: { 'b/~': { format: 'html' } } } },
      plain: { type: 'string' },
    },
  };
  const value = { a: 'x', list: [{ 'b/~': 'y' }, { plain: 'z' }], plain: 'p', more: { a: 'q' } };
  expect(findHtml(schema, value)).toEqual(['/a', '/list/0/b~1~0']);
});

test('filters are members that are marked, and values are found by their text', () => {
  expect(filtersOf({ properties: { a: { 'x-filter': true }, b: {}, c: { 'x-filter': false } } })).toEqual(['a']);
  expect(filterValuesOf({ a: 'x', b: 1.5, c: false, d: null, e: ['y'], f: {} })).toEqual([
    ['a', '=x'],
    ['b', '=1.5'],
    ['c', '=false'],
  ]);
  expect(filterValue('x'.repeat(5000)).length).toBeLessThan(100);
  expect(filterValue('#')).not.toBe(filterValue('x'.repeat(201)));
});

describe('replacing at pointers', () => {
  test('copies what lies on the way and nothing else', () => {
    const value = { a: { b: [1, { c: 'x' }] }, d: { e: 1 } };
    const replaced = replaceAt(value, ['/a/b/1/c', '/none', '/a/b/9/c', '/__proto__/x'], (old) => `${old}!`);
    expect(replaced).toEqual({ a: { b: [1, { c: 'x!' }] }, d: { e: 1 } });
    expect(value.a.b[1]).toEqual({ c: 'x' });
    expect(replaced.d).toBe(value.d);
    expect([valueAt(value, '/a/b/1/c'), valueAt(value, '/a/z'), valueAt(value, '/constructor')]).toEqual([
      'x',
      undefined,
      undefined,
    ]);
  });
});
