import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

type Json = Record<string, unknown>;

/** A schema cannot be used; the message says why. */
export class SchemaFault extends Error {}

/** `ownProperties`: a variable called `constructor` exists only if it was passed; inherited properties do not count. */
const options = { strict: false, allErrors: false, useDefaults: true, ownProperties: true, logger: false } as const;
const compileOptions = { ...options, validateSchema: false, meta: false } as const;

/**
 * A JSON Schema dialect. The validator of schemas is shared; a compiler is created per schema, because it remembers the
 * schema's names.
 */
interface Dialect {
  checker: Ajv | null;
  makeChecker: () => Ajv;
  makeCompiler: (useDefaults: boolean) => Ajv;
}
const draft2020: Dialect = {
  checker: null,
  makeChecker: () => new Ajv2020(options),
  makeCompiler: (useDefaults) => new Ajv2020({ ...compileOptions, useDefaults }),
};
const draft7: Dialect = {
  checker: null,
  makeChecker: () => new Ajv(options),
  makeCompiler: (useDefaults) => new Ajv({ ...compileOptions, useDefaults }),
};
const dialects: Record<string, Dialect> = {
  'https://json-schema.org/draft/2020-12/schema': draft2020,
  'https://json-schema.org/draft/2019-09/schema': draft2020,
  'http://json-schema.org/draft-07/schema': draft7,
  'http://json-schema.org/draft-06/schema': draft7,
};
const currentDraft = 'https://json-schema.org/draft/2020-12/schema';

/** Keywords whose value is a map of schemas; under any other keyword, a map would be a variable's own schema. */
const schemaMaps = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
const otherKeywords = new Set(
  `$schema $id $ref $anchor $dynamicRef $dynamicAnchor $comment $vocabulary type enum const title description default
   examples deprecated readOnly writeOnly required minProperties maxProperties dependentRequired additionalProperties
   unevaluatedProperties propertyNames allOf anyOf oneOf not if then else format pattern minLength maxLength minimum
   maximum exclusiveMinimum exclusiveMaximum multipleOf items prefixItems contains minItems maxItems uniqueItems`.split(
    /\s+/,
  ),
);

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isSchemaMap = (value: unknown) =>
  isObject(value) && Object.values(value).every((member) => isObject(member) || typeof member === 'boolean');

/**
 * Returns whether this is only a map of variables: `{title: {type: 'string'}}` is; one keyword used as such makes it a
 * schema.
 */
function isPropertiesMap(schema: Json): boolean {
  const entries = Object.entries(schema);
  if (entries.length === 0 || !isSchemaMap(schema)) return false;
  return !entries.some(
    ([name, value]) => (schemaMaps.has(name) && isSchemaMap(value)) || (otherKeywords.has(name) && !isObject(value)),
  );
}

function hasKeyword(schema: Json): boolean {
  return (
    Object.keys(schema).length === 0 ||
    Object.keys(schema).some((name) => schemaMaps.has(name) || otherKeywords.has(name))
  );
}

function dialectOf(schema: Json): Dialect {
  const { $schema: dialectName = currentDraft } = schema;
  if (typeof dialectName !== 'string') throw new SchemaFault('has a $schema that is not text');
  const named = dialectName.replace(/#$/, '');
  const dialect = Object.hasOwn(dialects, named) ? dialects[named] : undefined;
  if (!dialect) throw new SchemaFault(`names the dialect ${named.slice(0, 200)}; write it for JSON Schema 2020-12`);
  return dialect;
}

/** Throws unless all references are internal: a fragment, or a name that the schema itself defines. */
function requireOwnReferences(schema: Json): void {
  const names = new Set<string>();
  const references: string[] = [];
  const open: unknown[] = [schema];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, member] of Object.entries(value)) {
      if (key === '$id' && typeof member === 'string') names.add(member.replace(/#.*$/, ''));
      if ((key === '$ref' || key === '$dynamicRef' || key === '$recursiveRef') && typeof member === 'string')
        references.push(member);
      open.push(member);
    }
  }
  const outside = references.find((target) => !target.startsWith('#') && !names.has(target.replace(/#.*$/, '')));
  if (outside !== undefined) throw new SchemaFault(`refers to ${outside.slice(0, 200)}, which is outside of it`);
}

function describe(error: ErrorObject | undefined, what: string): string {
  if (!error) return 'is not valid';
  const place = error.instancePath === '' ? what : error.instancePath.slice(1).replaceAll('/', '.');
  const extra = error.keyword === 'additionalProperties' ? ` ("${error.params['additionalProperty']}")` : '';
  const allowed = error.keyword === 'enum' ? `: ${JSON.stringify(error.params['allowedValues']).slice(0, 200)}` : '';
  return `${place} ${error.message ?? 'is not valid'}${extra}${allowed}`;
}

function compile(schema: Json, useDefaults = true): ValidateFunction {
  const ajv = dialectOf(schema).makeCompiler(useDefaults);
  formats.default(ajv);
  const { $schema: _dialect, ...bare } = schema;
  return ajv.compile(bare);
}

const endless = 'refers to itself endlessly';

/** Returns the schema for a schema or a map of properties. */
export const toSchema = (given: Json): Json => (isPropertiesMap(given) ? { type: 'object', properties: given } : given);

/** Throws a SchemaFault if a schema violates its dialect or cannot be compiled. */
function requireSchema(schema: Json): void {
  requireOwnReferences(schema);
  const dialect = dialectOf(schema);
  dialect.checker ??= dialect.makeChecker();
  if (!dialect.checker.validateSchema(schema)) throw new SchemaFault(describe(dialect.checker.errors?.[0], 'it'));
  try {
    compile(schema)({}); // a schema that refers to itself endlessly fails at the first value
  } catch (error) {
    if (error instanceof RangeError) throw new SchemaFault(endless);
    throw new SchemaFault(error instanceof Error ? error.message.slice(0, 300) : 'cannot be compiled');
  }
}

/**
 * Reads `variables_schema`, a JSON Schema or just its `properties` map (contract: In `body_html`), and returns a
 * schema. Throws a SchemaFault if it is neither or has external references.
 */
export function readVariablesSchema(given: Json): Json {
  const schema = toSchema(given);
  if (!hasKeyword(schema)) throw new SchemaFault('is neither a JSON Schema nor a map of properties');
  requireSchema(schema);
  return schema;
}

/** A fault of a value: its JSON pointer, and a sentence about it. */
export interface ValueFault {
  path: string;
  message: string;
}

/** Returns the JSON pointer that an error concerns; for a missing or unknown member, that of the member. */
function placeOf({ instancePath, keyword, params }: ErrorObject): string {
  const name = keyword === 'required' ? params['missingProperty'] : params['additionalProperty'];
  return typeof name === 'string'
    ? `${instancePath}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    : instancePath;
}

const sentences: Readonly<Record<string, string>> = {
  required: 'is required',
  additionalProperties: 'is not a member that the schema has',
};

/** Creates the check of values that, unlike `createVariablesCheck`, fills in no defaults. */
export function createValueCheck(schema: Json): (value: unknown) => ValueFault | null {
  const validate = compile(schema, false);
  return (value) => {
    try {
      if (validate(value)) return null;
    } catch (error) {
      if (error instanceof RangeError) return { path: '', message: `cannot be checked: the schema ${endless}` };
      throw error;
    }
    const [error] = validate.errors ?? [];
    if (!error) return { path: '', message: 'is not valid' };
    const allowed = error.keyword === 'enum' ? `: ${JSON.stringify(error.params['allowedValues']).slice(0, 200)}` : '';
    return {
      path: placeOf(error),
      message: sentences[error.keyword] ?? `${error.message ?? 'is not valid'}${allowed}`,
    };
  };
}

/** Creates the check of a component's variables, which fills in defaults and returns the fault, or null. */
export function createVariablesCheck(schema: Json): (vars: unknown) => string | null {
  const validate = compile(schema);
  return (vars) => {
    try {
      return validate(vars) ? null : describe(validate.errors?.[0], 'the variables');
    } catch (error) {
      if (error instanceof RangeError) return `cannot be checked: the schema ${endless}`;
      throw error;
    }
  };
}

/** Returns variables for a first render: defaults, constants and examples from the schema. */
export function exampleVariables(schema: Json | null): Json {
  const properties = schema && isObject(schema['properties']) ? schema['properties'] : {};
  const vars: Json = Object.create(null);
  for (const [name, member] of Object.entries(properties)) {
    if (!isObject(member)) continue;
    const [example] = Array.isArray(member['examples']) ? member['examples'] : [];
    const [choice] = Array.isArray(member['enum']) ? member['enum'] : [];
    const value = member['default'] ?? example ?? member['const'] ?? choice;
    if (value !== undefined) vars[name] = value;
  }
  return vars;
}
