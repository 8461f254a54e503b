import { isObject } from './json.ts';

/** What a form reads of a JSON Schema (2020-12). The service checks the values against all of it. */
export interface FormSchema {
  type: string | undefined;
  title: string | undefined;
  description: string | undefined;
  format: string | undefined;
  maxLength: number | undefined;
  enum: unknown[] | undefined;
  /** The type of the entries of a list. */
  itemType: string | undefined;
  properties: Record<string, unknown> | undefined;
  required: unknown[];
}

const stringOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Returns what a form reads of a schema. A keyword of the wrong kind counts as left out, because schemas are shown while they are written. */
export function readFormSchema(schema: unknown): FormSchema {
  const keywords = isObject(schema) ? schema : {};
  const { type, title, description, format, maxLength, enum: values, items, properties, required } = keywords;
  return {
    type: stringOf(Array.isArray(type) ? type.find((each) => each !== 'null') : type),
    title: stringOf(title),
    description: stringOf(description),
    format: stringOf(format),
    maxLength: typeof maxLength === 'number' ? maxLength : undefined,
    enum: Array.isArray(values) ? values : undefined,
    itemType: isObject(items) ? stringOf(items['type']) : undefined,
    properties: isObject(properties) ? properties : undefined,
    required: Array.isArray(required) ? required : [],
  };
}

/** Returns what a form reads of the schema of an object. A schema of variables may be just its `properties`. */
export const readObjectSchema = (schema: Record<string, unknown>): FormSchema =>
  readFormSchema(schema['type'] === 'object' || 'properties' in schema ? schema : { properties: schema });
