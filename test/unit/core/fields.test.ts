import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { membersOf, nameMemberOf, pickFields, readFields } from '../../../services/core/fields.ts';
import { routes } from '../../../services/gateway/routes.ts';

const members = ['id', 'title', 'body_html'];

test('the members that are asked for stay, in the order of the record, and the id with them', () => {
  const record = { id: '1', title: 'T', body_html: 'B' };
  expect(Object.entries(pickFields(record, readFields('body_html', members)))).toEqual([
    ['id', '1'],
    ['body_html', 'B'],
  ]);
  expect(pickFields(record, readFields('id', members))).toEqual({ id: '1' });
  expect(pickFields(record, undefined)).toBe(record);
});

test.each(['', 'title,', 'title, body_html', 'Title', 'nothing', 'constructor', '\0', 'x'.repeat(100_000)])(
  'fields=%p is refused, named and short',
  (text) => {
    const error = (() => {
      try {
        return readFields(text, members);
      } catch (refusal) {
        return refusal as { status: number; details: { path: string }[]; message: string };
      }
    })() as { status: number; details: { path: string }[]; message: string };
    expect([error.status, error.details[0]!.path]).toEqual([422, 'fields']);
    expect(error.message.length).toBeLessThan(300);
  },
);

test('a record that is no object takes no fields', () => {
  expect(membersOf(undefined)).toEqual([]);
  expect(membersOf(z.array(z.string()))).toEqual([]);
});

/** Routes that do not return one record of many, so that no member identifies it. */
const nameless = ['/authoring-guide', '/sites/:site/authoring-guide', '/sites/:site/shell/preview'];

describe.each(routes.filter(({ method, reply }) => method === 'GET' && !reply.raw).map((route) => [route.path, route]))(
  'GET %s',
  (path, route) => {
    test('says of which members its record is, and by which of them it goes', () => {
      const names = membersOf((route as (typeof routes)[number]).reply.schema);
      expect(names.length).toBeGreaterThan(0);
      expect(nameMemberOf(names) === undefined).toBe(nameless.includes(path as string));
    });
  },
);
