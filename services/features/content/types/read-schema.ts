type Json = Record<string, unknown>;

/** The properties of a schema that are ours, not the validator's. */
export interface SchemaReading {
  /** Names of members that the list can filter by. */
  filters: string[];
  /** Why our own keywords are used wrongly; null if they are not. */
  fault: string | null;
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const filterTypes = new Set(['string', 'number', 'integer', 'boolean', 'null']);

/** Returns whether a member has only scalar values, which a filter can match. */
function isScalar({ type }: Json): boolean {
  const types = Array.isArray(type) ? type : [type];
  return types.every((one) => filterTypes.has(String(one)));
}

/** Returns the names of members that are filters. `schema` is a JSON Schema, not a map of properties. */
export function filtersOf(schema: Json): string[] {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  return Object.entries(properties).flatMap(([name, member]) =>
    isObject(member) && member['x-filter'] === true ? [name] : [],
  );
}

/**
 * Yields the schemas that apply to a value by its place alone (`properties` and `items`), where `format: html` is
 * supported.
 */
function* plainSchemas(schema: unknown): Generator<Json> {
  if (!isObject(schema)) return;
  yield schema;
  if (isObject(schema['properties']))
    for (const member of Object.values(schema['properties'])) yield* plainSchemas(member);
  yield* plainSchemas(schema['items']);
}

/**
 * Finds unsupported uses of our keywords: `x-filter` anywhere but on a member of `fields` with scalar values, and
 * `format: html` below a keyword other than `properties` and `items`. Returns why the schema cannot be used, or null.
 */
export function findOwnFault(schema: Json): string | null {
  const plain = new Set<unknown>(plainSchemas(schema));
  const properties = isObject(schema['properties']) ? Object.values(schema['properties']) : [];
  const open: unknown[] = [schema];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    if (isObject(value)) {
      if (value['x-filter'] === true && !(properties.includes(value) && isScalar(value)))
        return 'has x-filter where it means nothing: it belongs to a member of fields with the type string, number, integer or boolean';
      if (value['format'] === 'html' && !plain.has(value))
        return 'has format html within another keyword than properties and items';
    }
    open.push(...Object.values(value).filter((member) => member !== undefined));
  }
  return null;
}

/** Returns the JSON pointers of the texts in `value` with `format: html` in the schema. */
export function findHtml(schema: unknown, value: unknown, pointer = ''): string[] {
  if (!isObject(schema)) return [];
  if (typeof value === 'string') return schema['format'] === 'html' ? [pointer] : [];
  if (Array.isArray(value)) return value.flatMap((one, index) => findHtml(schema['items'], one, `${pointer}/${index}`));
  if (!isObject(value) || !isObject(schema['properties'])) return [];
  const { properties } = schema;
  return Object.keys(value).flatMap((name) =>
    Object.hasOwn(properties as Json, name)
      ? findHtml(
          (properties as Json)[name],
          value[name],
          `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
        )
      : [],
  );
}
