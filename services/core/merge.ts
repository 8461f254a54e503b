type JsonObject = Record<string, unknown>;

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Merges as RFC 7396 says: members of the patch replace, `null` removes, objects merge. */
export function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const result = new Map(Object.entries(target));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) result.delete(name);
    else if (isObject(value)) {
      const before = result.get(name);
      result.set(name, mergePatch(isObject(before) ? before : {}, value));
    } else result.set(name, value);
  }
  return Object.fromEntries(result);
}
