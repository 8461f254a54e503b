import { LRUCache } from 'lru-cache';
import {
  createValueCheck,
  readVariablesSchema,
  SchemaFault,
  toSchema,
  type ValueFault,
} from '../../../engines/sandbox/components/variables-schema.ts';
import { findOwnFault } from './read-schema.ts';

type Json = Record<string, unknown>;

/** What a thread is asked: to look at a schema, or at values by a schema that was looked at before. */
export type SchemaWork = { schema: Json; values?: undefined } | { schema: Json; values: readonly Json[] };

const checks = new LRUCache<string, ReturnType<typeof createValueCheck>>({ max: 50 });

/** Why the schema cannot be used, or null. */
export function findSchemaFault(schema: Json): string | null {
  try {
    return findOwnFault(readVariablesSchema(schema));
  } catch (error) {
    if (error instanceof SchemaFault) return error.message;
    throw error;
  }
}

/** What is wrong with each value, or null. */
export function findValueFaults(schema: Json, values: readonly Json[]): (ValueFault | null)[] {
  const key = JSON.stringify(schema);
  let check = checks.get(key);
  if (!check) {
    check = createValueCheck(toSchema(schema));
    checks.set(key, check);
  }
  return values.map(check);
}

/** What a thread does with schemas; see `createFieldChecker`. */
export default function checkFields({ schema, values }: SchemaWork): string | null | (ValueFault | null)[] {
  return values ? findValueFaults(schema, values) : findSchemaFault(schema);
}
