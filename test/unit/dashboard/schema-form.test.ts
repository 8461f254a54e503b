import { expect, test } from '@jest/globals';
import { readFormSchema, readObjectSchema } from '../../../services/dashboard/parts/form-schema.ts';
import { initialValues } from '../../../services/dashboard/views/components/initial-values.ts';

const nothing = readFormSchema({});

test.each([null, true, 'string', 3, [{}]])(
  'a member that is not an object is read as an empty schema: %j',
  (member) => {
    expect(readFormSchema(member)).toEqual(nothing);
    expect(initialValues({ text: member })).toEqual({});
  },
);

test.each([
  { properties: null },
  { properties: [] },
  { required: true },
  { enum: {} },
  { title: {} },
  { description: {} },
  { format: [] },
  { type: {} },
  { type: [null] },
  { maxLength: '3' },
  { items: null },
  { items: { type: 1 } },
])('a keyword of the wrong kind counts as left out: %j', (schema) => {
  expect(readFormSchema(schema)).toEqual(nothing);
});

test('a schema of variables may be only its properties', () => {
  const text = { type: 'string' };
  expect(readObjectSchema({ text }).properties).toEqual({ text });
  expect(readObjectSchema({ properties: { text }, required: ['text'] })).toMatchObject({
    properties: { text },
    required: ['text'],
  });
  expect(readObjectSchema({ properties: null }).properties).toBeUndefined();
});

test('a nullable type is read as its other type, and the entries of a list give their type', () => {
  expect(readFormSchema({ type: ['null', 'string'] }).type).toBe('string');
  expect(readFormSchema({ type: 'array', items: { type: 'string' } }).itemType).toBe('string');
});
