import { isObject } from '../../parts/json.ts';

type Values = Record<string, unknown>;

/** Returns the values that a schema of variables, or its `properties` alone, gives as defaults or examples. */
export function initialValues(schema: Values | null): Values {
  const properties = schema && isObject(schema['properties']) ? schema['properties'] : (schema ?? {});
  const entries = Object.entries(properties).flatMap(([name, member]) => {
    if (!isObject(member)) return [];
    const [example] = Array.isArray(member['examples']) ? member['examples'] : [];
    const value: unknown = member['default'] ?? example;
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}
