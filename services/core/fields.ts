import { z } from 'zod';
import { invalid } from './errors.ts';

/** What a record without `id` goes by, in order of precedence. */
const nameMembers = ['id', 'uuid', 'handle', 'path', 'rev', 'release', 'locale', 'type'];

/** Whether a route answers records of which `fields` may leave members out. */
export const takesFields = ({ method, reply }: { method: string; reply: { schema?: z.ZodType } }): boolean =>
  method === 'GET' && membersOf(reply.schema).length > 0;

/** The names of a record's members; empty for what is no record. */
export function membersOf(schema: z.ZodType | undefined): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

/** The member that `fields` never leaves out: `id`, or the name of a record that has none (contract: Beyond the specification). */
export function nameMemberOf(members: readonly string[]): string | undefined {
  return nameMembers.find((name) => members.includes(name));
}

/**
 * The members that `fields=a,b` asks for, the record's name among them. Throws 422 that names `fields` for one that the record
 * does not have.
 */
export function readFields(text: string, members: readonly string[]): ReadonlySet<string> {
  const names = text.split(',');
  const unknown = names.find((name) => !members.includes(name));
  if (unknown !== undefined) {
    const message = `takes a comma-separated list of ${members.join(', ')}; ${JSON.stringify(unknown.slice(0, 64))} is none of them`;
    throw invalid([{ path: 'fields', message }]);
  }
  const name = nameMemberOf(members);
  return new Set(name === undefined ? names : [name, ...names]);
}

/** The record with these members alone, in its own order. */
export function pickFields(record: object, fields: ReadonlySet<string> | undefined): object {
  if (!fields) return record;
  return Object.fromEntries(Object.entries(record).filter(([name]) => fields.has(name)));
}
