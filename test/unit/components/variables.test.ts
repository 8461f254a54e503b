import { describe, expect, test } from '@jest/globals';
import { runBounded, TooSlow } from '../../../services/engines/sandbox/components/bounded.ts';
import {
  createVariablesCheck,
  exampleVariables,
  readVariablesSchema,
  SchemaFault,
} from '../../../services/engines/sandbox/components/variables-schema.ts';

describe('variables_schema', () => {
  test('that is a map of properties becomes a schema', () => {
    const map = { title: { type: 'string' } };
    expect(readVariablesSchema(map)).toEqual({ type: 'object', properties: map });
  });

  test.each([
    ['required', { type: 'object', required: ['a'] }],
    ['a list of alternatives', { anyOf: [{ required: ['a'] }, { required: ['b'] }] }],
    ['nothing', {}],
    ['properties', { properties: { a: true } }],
  ])('with %s is taken as the schema that it is', (_what, schema) => {
    expect(readVariablesSchema(schema)).toBe(schema);
  });

  test.each(['properties', 'items', 'type', 'not', 'const', 'default'])('may have one variable called %s', (name) => {
    expect(readVariablesSchema({ [name]: { type: 'string' } })).toEqual({
      type: 'object',
      properties: { [name]: { type: 'string' } },
    });
  });

  test.each([
    { a: 1 },
    { a: {}, b: 'x' },
    { type: 'x' },
    { $ref: 'https://a.example/' },
    { $ref: '//a.example/' },
    { $dynamicRef: 'a.json' },
    { $schema: 'https://a.example/dialect' },
    { a: { properties: { b: { $ref: 'file:///etc/passwd' } } } },
  ])('%j is refused', (schema) => {
    expect(() => readVariablesSchema(schema)).toThrow(SchemaFault);
  });

  test('may refer to a name that it gives itself', () => {
    const schema = {
      $defs: { t: { $id: 'https://own.example/t', type: 'string' } },
      properties: { a: { $ref: 'https://own.example/t' } },
    };
    expect(readVariablesSchema(schema)).toBe(schema);
  });

  test('has no variable that every object inherits', () => {
    const check = createVariablesCheck(readVariablesSchema({ constructor: { type: 'string' }, a: { type: 'string' } }));
    expect([check({ a: 'x' }), check({ constructor: 'x' })]).toEqual([null, null]);
    const required = createVariablesCheck(readVariablesSchema({ type: 'object', required: ['toString'] }));
    expect(required({})).toMatch(/toString/);
  });

  test('of one component knows nothing of another that used the same name', () => {
    const named = (type: string) => ({ $id: 'https://own.example/s', type: 'object', properties: { a: { type } } });
    const first = createVariablesCheck(readVariablesSchema(named('string')));
    const second = createVariablesCheck(readVariablesSchema(named('number')));
    expect([first({ a: 'x' }), second({ a: 'x' })]).toEqual([null, 'a must be number']);
  });

  test.each([
    ['refers to itself without end', { $ref: '#' }],
    ['does so through a definition', { $ref: '#/$defs/a', $defs: { a: { $ref: '#' } } }],
    ['names its dialect by an object', { type: 'object', $schema: { toString: 1, valueOf: 1 } }],
    ['names its dialect by null', { type: 'object', $schema: null }],
  ])('that %s is refused', (_what, schema) => {
    expect(() => readVariablesSchema(schema)).toThrow(SchemaFault);
  });

  test('may refer to itself where the variables end it', () => {
    const schema = { type: 'object', properties: { child: { $ref: '#' } } };
    expect(createVariablesCheck(readVariablesSchema(schema))({ child: { child: {} } })).toBeNull();
  });
});

describe('variables', () => {
  const check = createVariablesCheck({
    type: 'object',
    properties: {
      a: { type: 'string', format: 'date' },
      list: { type: 'array', items: { type: 'integer' } },
      kind: { enum: ['x', 'y'], default: 'x' },
    },
    additionalProperties: false,
  });

  test.each([
    [{ a: 'soon' }, 'a must match format "date"'],
    [{ list: [1, 'b'] }, 'list.1 must be integer'],
    [{ kind: 'z' }, 'kind must be equal to one of the allowed values: ["x","y"]'],
    [{ more: 1 }, 'the variables must NOT have additional properties ("more")'],
  ])('%j are refused', (vars, message) => {
    expect(check(vars)).toBe(message);
  });

  test('get their defaults', () => {
    const vars = {};
    expect(check(vars)).toBeNull();
    expect(vars).toEqual({ kind: 'x' });
  });

  test('for a first look come from what the schema tells', () => {
    const properties = {
      a: { default: 1 },
      b: { examples: ['e'] },
      c: { const: 'c' },
      d: { enum: ['d'] },
      e: {},
      f: true,
    };
    expect({ ...exampleVariables({ properties }) }).toEqual({ a: 1, b: 'e', c: 'c', d: 'd' });
  });
});

test('work that takes too long is cut off, in the middle of a regular expression too', () => {
  expect(runBounded(() => 5, 1000)).toBe(5);
  expect(() => runBounded(() => /^(\w+\s?)*$/.test(`${'word '.repeat(20)}!`), 50)).toThrow(TooSlow);
  expect(() =>
    runBounded(() => {
      throw new RangeError('own');
    }, 1000),
  ).toThrow('own');
});
