/** Returns whether a JSON value is an object, neither null nor a list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a JSON value as text with the members of objects by name: the database does not keep their order. */
const canonicalText = (value: unknown): string =>
  JSON.stringify(value, (_name, member: unknown) =>
    isObject(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
  );

/** Returns whether two JSON values are the same, in whatever order their objects have their members. */
export const isSameJson = (a: unknown, b: unknown): boolean => canonicalText(a) === canonicalText(b);

/** Returns `theirs` with the members of `mine` that differ from `before`: what was edited here, over another user's change. */
export function mergeEdits<T extends object>(before: T, mine: T, theirs: T): T {
  const edited = Object.entries(mine).filter(([name, value]) => !isSameJson(value, before[name as keyof T]));
  return { ...theirs, ...Object.fromEntries(edited) };
}
