import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { text } from '../../../services/core/schema.ts';
import { checkBody } from '../../../services/core/validate.ts';

// rule: threat.27
test('a text that is too long is asked nothing else', () => {
  const asked: string[] = [];
  const schema = text(3).refine((value) => {
    asked.push(value);
    return false;
  }, 'must be another');
  expect(schema.safeParse('long text').error?.issues).toMatchObject([{ code: 'too_big' }]);
  expect(asked).toEqual([]);
  expect(schema.safeParse('abc').error?.issues).toMatchObject([{ message: 'must be another' }]);
});

test('members that a client cannot write are dropped, others that the schema lacks are refused', () => {
  const schema = z.strictObject({ a: z.string() });
  expect(checkBody(schema, { a: 'x', id: 1 }, ['id'])).toEqual({ a: 'x' });
  expect(() => checkBody(schema, { a: 'x', id: 1, b: 2 }, ['id'])).toThrow('b: is not a member of this request');
  expect(() => checkBody(schema, { a: 'x', id: 1 })).toThrow('id: is not a member of this request');
});
