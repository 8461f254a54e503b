import { z } from 'zod';
import { invalid } from './errors.ts';

/** Members that identify a record, in order of precedence. */
const nameMembers = ['id', 'uuid', 'handle', 'path', 'rev', 'release', 'locale', 'type'];

/** Returns whether a route returns records from which `fields` may omit members. */
export const takesFields = ({ method, reply }: { method: string; reply: { schema?: z.ZodType } }): boolean =>
  method === 'GET' && membersOf(reply.schema).length > 0;

/** Returns the names of a record's members; empty if the schema is not an object. */
export function membersOf(schema: z.ZodType | undefined): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

/**
 * Returns the member that `fields` never omits: `id`, or the identifying member of a record without one (contract:
 * Beyond the specification).
 */
export function nameMemberOf(members: readonly string[]): string | undefined {
  return nameMembers.find((name) => members.includes(name));
}

/**
 * Parses `fields=a,b` into the requested members, plus the identifying one. Throws 422 that names `fields` for a member
 * that the record does not have.
 */
export function readFields(text: string, members: readonly string[]): ReadonlySet<string> {
  const names = text.split(',');
  const unknown = names.find((name) => !members.includes(name));
  if (unknown !== undefined) {
    const message = `takes a comma-separated list of ${members.join(', ')}; ${JSON.stringify(unknown.slice(0, 64))} is not one of them`;
    throw invalid([{ path: 'fields', message }]);
  }
  const name = nameMemberOf(members);
  return new Set(name === undefined ? names : [name, ...names]);
}

/** Returns the record with only these members, in its own order. */
export function pickFields(record: object, fields: ReadonlySet<string> | undefined): object {
  if (!fields) return record;
  return Object.fromEntries(Object.entries(record).filter(([name]) => fields.has(name)));
}
