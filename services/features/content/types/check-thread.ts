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

/** The input of a thread: a schema to check, or values to check against an already checked schema. */
export type SchemaWork = { schema: Json; values?: undefined } | { schema: Json; values: readonly Json[] };

const checks = new LRUCache<string, ReturnType<typeof createValueCheck>>({ max: 50 });

/** Returns why the schema cannot be used, or null. */
export function findSchemaFault(schema: Json): string | null {
  try {
    return findOwnFault(readVariablesSchema(schema));
  } catch (error) {
    if (error instanceof SchemaFault) return error.message;
    throw error;
  }
}

/** Returns the fault of each value, or null. */
export function findValueFaults(schema: Json, values: readonly Json[]): (ValueFault | null)[] {
  const key = JSON.stringify(schema);
  let check = checks.get(key);
  if (!check) {
    check = createValueCheck(toSchema(schema));
    checks.set(key, check);
  }
  return values.map(check);
}

/** Runs in a thread: checks a schema, or values if given. See `createFieldChecker`. */
export default function checkFields({ schema, values }: SchemaWork): string | null | (ValueFault | null)[] {
  return values ? findValueFaults(schema, values) : findSchemaFault(schema);
}
