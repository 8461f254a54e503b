import { describe, expect, test } from '@jest/globals';
import { Problem } from '../../../services/dashboard/app/problem.ts';
import { codeFaultsOf, readJsonObject } from '../../../services/dashboard/parts/code-faults.ts';
import { initialValues } from '../../../services/dashboard/views/components/initial-values.ts';
import { inRunningOrder } from '../../../services/dashboard/views/scripts/script-data.ts';
import { addField, canFilter, fieldNames } from '../../../services/dashboard/views/types/fields.ts';

describe('faults of code', () => {
  test('are those of one member, at the lines that the service names', () => {
    const details = [
      { path: 'source_code', message: 'line 3, column 5: no such tag\n  3 | {% x %}' },
      { path: 'source_code', message: 'line 4: open' },
      { path: 'css', message: 'ends in a rule' },
    ];
    const problem = new Problem('no', { code: 'compile_failed', status: 422, details });
    expect(codeFaultsOf(problem, 'source_code')).toEqual([
      { line: 3, column: 5, message: details[0]!.message },
      { line: 4, message: 'line 4: open' },
    ]);
    expect(codeFaultsOf(problem, 'css')).toEqual([{ line: 1, message: 'ends in a rule' }]);
    expect(codeFaultsOf(null, 'css')).toEqual([]);
  });

  test('JSON that is not an object has a fault', () => {
    expect(readJsonObject('{"a": 1}')).toEqual({ value: { a: 1 } });
    expect(readJsonObject('[1]')).toMatchObject({ fault: { line: 1 } });
    expect(readJsonObject('{\n "a": }')).toMatchObject({ fault: { message: expect.any(String) } });
  });
});

test('values of a trial begin with the defaults and examples of the schema, in both of its forms', () => {
  const properties = { a: { default: 1 }, b: { examples: ['x', 'y'] }, c: { type: 'string' }, d: true };
  expect([initialValues(properties), initialValues({ type: 'object', properties }), initialValues(null)]).toEqual([
    { a: 1, b: 'x' },
    { a: 1, b: 'x' },
    {},
  ]);
});

test('scripts run in the head first, the oldest first', () => {
  const script = (id: string, position: 'head' | 'body_end') => ({
    id,
    position,
    name: id,
    src: null,
    code: 'x',
    created_at: '2026-01-01T00:00:00Z',
  });
  const newestFirst = [script('d', 'head'), script('c', 'body_end'), script('b', 'head'), script('a', 'body_end')];
  expect(inRunningOrder(newestFirst).map(({ id }) => id)).toEqual(['b', 'd', 'a', 'c']);
});

describe('fields of a type', () => {
  const field = { name: 'size', kind: 'integer', isRequired: false, isFilter: false } as const;

  test('a field is added, and everything else in the schema stays', () => {
    const before = { type: 'object', additionalProperties: false, required: ['a'], properties: { a: {} } };
    expect(addField(before, { ...field, isRequired: true, isFilter: true, label: 'Size' })).toEqual({
      ...before,
      required: ['a', 'size'],
      properties: { a: {}, size: { type: 'integer', title: 'Size', 'x-filter': true } },
    });
  });

  test('a map of properties becomes a schema, and a schema without properties gets them', () => {
    expect(addField({ a: { type: 'string' } }, field)).toEqual({
      type: 'object',
      properties: { a: { type: 'string' }, size: { type: 'integer' } },
    });
    expect(fieldNames(addField({ type: 'object' }, field))).toEqual(['size']);
  });

  test('a choice has its values, and a list is not a filter', () => {
    const choice = addField({}, { ...field, kind: 'choice', values: ['s', 'm'] });
    expect(choice).toEqual({ type: 'object', properties: { size: { type: 'string', enum: ['s', 'm'] } } });
    const list = addField({}, { ...field, kind: 'list', isFilter: true });
    expect(list).toEqual({ type: 'object', properties: { size: { type: 'array', items: { type: 'string' } } } });
    expect([canFilter('text'), canFilter('list')]).toEqual([true, false]);
  });
});
