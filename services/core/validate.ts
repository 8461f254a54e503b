import type { z } from 'zod';
import { type ErrorDetail, invalid } from './errors.ts';

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, name) => (value as Record<PropertyKey, unknown> | null | undefined)?.[name],
    root,
  );
}

/** Type names with articles: `a string`, `an array`, `true or false`. */
const typeNames: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

const units: Record<string, string> = { string: ' characters', array: ' items' };

/**
 * Converts an issue of the library to a sentence that says what to fix; schemas with a message of their own keep it.
 */
function sentenceFor(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.startsWith('Invalid input')
        ? `must be ${typeNames[issue.expected] ?? issue.expected}`
        : issue.message;
    case 'too_big':
      return issue.message.startsWith('Too big')
        ? `must be at most ${issue.maximum}${units[issue.origin] ?? ''}`
        : issue.message;
    case 'too_small':
      return issue.message.startsWith('Too small')
        ? `must be at least ${issue.minimum}${units[issue.origin] ?? ''}`
        : issue.message;
    case 'invalid_value':
      return issue.message.startsWith('Invalid')
        ? `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`
        : issue.message;
    case 'invalid_format':
      return issue.message.startsWith('Invalid') ? `must be a valid ${issue.format.toUpperCase()}` : issue.message;
    default:
      return issue.message;
  }
}

function detailsOf(error: z.ZodError, root: unknown): ErrorDetail[] {
  return error.issues.flatMap((issue): ErrorDetail[] => {
    const path = issue.path.map(String).join('.');
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        path: path ? `${path}.${key}` : key,
        message: 'is not a member of this request',
      }));
    }
    const missing = ['invalid_type', 'invalid_value'].includes(issue.code) && valueAt(root, issue.path) === undefined;
    return [{ path, message: missing ? 'is required' : sentenceFor(issue) }];
  });
}

/** Returns the value as parsed by its schema. Throws `validation_failed` with every fault in `details`. */
export function check<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (!result.success) throw invalid(detailsOf(result.error, value));
  return result.data;
}

/** Checks a body; drops read-only members of the record first, so that a record can be sent back as it was read. */
export function checkBody<S extends z.ZodType>(
  schema: S,
  body: unknown,
  readOnly: readonly string[] = [],
): z.output<S> {
  if (typeof body !== 'object' || body === null) return check(schema, body);
  if (!readOnly.some((name) => Object.hasOwn(body, name))) return check(schema, body);
  return check(schema, Object.fromEntries(Object.entries(body).filter(([name]) => !readOnly.includes(name))));
}
