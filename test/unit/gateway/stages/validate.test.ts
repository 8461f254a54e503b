import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { invalid } from '../../../../services/core/errors.ts';
import { pageQuery } from '../../../../services/core/schema.ts';
import type { Context } from '../../../../services/gateway/context.ts';
import { validate } from '../../../../services/gateway/stages/validate.ts';

const contextOf = (members: object) =>
  ({ search: '', route: { body: { kind: 'ignored' } }, ...members }) as unknown as Context;
const schema = z.strictObject({ a: z.number() });

test('a query is read by its schema, NUL in it is refused and named', () => {
  const ctx = contextOf({ search: '?page=2&other=x', route: { query: pageQuery, body: { kind: 'ignored' } } });
  validate(ctx);
  expect(ctx.query).toEqual({ page: 2, per_page: 20 });
  const nul = contextOf({ search: '?page=2&q=a%00', route: { query: pageQuery, body: { kind: 'ignored' } } });
  expect(() => validate(nul)).toThrow(
    expect.objectContaining({ code: 'validation_failed', details: [{ path: 'q', message: 'must not contain NUL' }] }),
  );
});

test('a route without a query takes any', () => {
  const ctx = contextOf({ search: '?a=%00' });
  validate(ctx);
  expect(ctx.query).toBeUndefined();
});

test.each(['json', 'custom'])(
  'a %s body is read by its schema; members that clients cannot write are dropped',
  (kind) => {
    const route = { body: { kind, schema, readOnly: ['id'] } };
    const ctx = contextOf({ body: { a: 1, id: 'x' }, route });
    validate(ctx);
    expect(ctx.body).toEqual({ a: 1 });
    expect(() => validate(contextOf({ body: { a: '1' }, route }))).toThrow(
      expect.objectContaining({ code: 'validation_failed' }),
    );
    expect(() => validate(contextOf({ body: { a: 1, b: 2 }, route }))).toThrow(
      expect.objectContaining({ details: [{ path: 'b', message: 'is not a member of this request' }] }),
    );
  },
);

test.each(['json', 'custom'])('a %s body is read once: what its schema made of it is not read again', (kind) => {
  const ctx = contextOf({
    body: { a: 1 },
    route: { body: { kind, schema: z.object({ a: z.number().transform(String) }) } },
  });
  validate(ctx);
  expect(ctx.body).toEqual({ a: '1' });
});

test('a custom body without a schema, and a raw one, stay as they are', () => {
  for (const kind of ['custom', 'raw']) {
    const ctx = contextOf({ body: 'as it is', route: { body: { kind } } });
    validate(ctx);
    expect(ctx.body).toBe('as it is');
  }
});

test('what the body was found not to be is told first', () => {
  const fault = invalid([{ path: '', message: 'The body must be a JSON object' }]);
  const ctx = contextOf({
    bodyFault: fault,
    search: '?page=0',
    route: { query: pageQuery, body: { kind: 'json', schema } },
  });
  expect(() => validate(ctx)).toThrow(fault);
});
