import type { strings } from './strings.ts';

type Json = Record<string, unknown>;
export type FieldKind = keyof typeof strings.kinds;

/** A field as the form describes it. */
export interface NewField {
  name: string;
  label?: string;
  kind: FieldKind;
  /** The values of a choice. */
  values?: readonly string[];
  isRequired: boolean;
  isFilter: boolean;
}

const longTextLength = 5_000;

const schemas: Readonly<Record<FieldKind, Json>> = {
  text: { type: 'string' },
  longText: { type: 'string', maxLength: longTextLength },
  richText: { type: 'string', format: 'html' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  url: { type: 'string', format: 'uri' },
  choice: { type: 'string' },
  list: { type: 'array', items: { type: 'string' } },
};

/** The kinds that the list of items can be filtered by: single values. */
export const canFilter = (kind: FieldKind): boolean => !['list', 'richText', 'longText'].includes(kind);

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a schema in its long form: a schema may be just its `properties`. */
function wholeSchema(schema: Json): Json & { properties: Json } {
  if (isObject(schema['properties'])) return schema as Json & { properties: Json };
  if (typeof schema['type'] === 'string') return { ...schema, properties: {} };
  return { type: 'object', properties: schema };
}

/** Returns the names of the fields that a schema describes. */
export const fieldNames = (schema: Json): string[] => Object.keys(wholeSchema(schema).properties);

/** Returns a schema with one more field; everything else in it stays. */
export function addField(schema: Json, { name, label, kind, values = [], isRequired, isFilter }: NewField): Json {
  const whole = wholeSchema(schema);
  const member = {
    ...schemas[kind],
    ...(label && { title: label }),
    ...(kind === 'choice' && { enum: values }),
    ...(isFilter && canFilter(kind) && { 'x-filter': true }),
  };
  const before = Array.isArray(whole['required']) ? whole['required'] : [];
  const required = isRequired ? [...before, name] : before;
  return {
    ...whole,
    ...(required.length > 0 && { required }),
    properties: { ...whole.properties, [name]: member },
  };
}
