import type { z } from 'zod';
import { type ErrorDetail, invalid } from './errors.ts';

function detailsOf(error: z.ZodError): ErrorDetail[] {
  return error.issues.flatMap((issue): ErrorDetail[] => {
    const path = issue.path.map(String).join('.');
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        path: path ? `${path}.${key}` : key,
        message: 'is not a member of this request',
      }));
    }
    if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined'))
      return [{ path, message: 'is required' }];
    return [{ path, message: issue.message }];
  });
}

/** The value as its schema reads it. Throws `validation_failed` with every fault in `details`. */
export function check<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (!result.success) throw invalid(detailsOf(result.error));
  return result.data;
}

/** The same for a body: members of the record that a client cannot write are dropped first, so that a record read can be sent back. */
export function checkBody<S extends z.ZodType>(
  schema: S,
  body: unknown,
  readOnly: readonly string[] = [],
): z.output<S> {
  if (readOnly.length === 0 || typeof body !== 'object' || body === null) return check(schema, body);
  return check(schema, Object.fromEntries(Object.entries(body).filter(([name]) => !readOnly.includes(name))));
}
