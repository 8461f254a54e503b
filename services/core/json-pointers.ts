const toName = (name: string) => name.replaceAll('~1', '/').replaceAll('~0', '~');

/**
 * Returns a copy of a JSON value in which `replace` replaces the values at the pointers (RFC 6901). Copies only the
 * objects and arrays on the path of a pointer; ignores a pointer without a value.
 */
export function replaceAt<T>(
  value: T,
  pointers: readonly string[],
  replace: (old: unknown, pointer: string) => unknown,
): T {
  if (pointers.length === 0) return value;
  const copies = new Set<object>();
  const root = { '': value };
  const copyOf = (parent: Record<string, unknown>, name: string): Record<string, unknown> | undefined => {
    const child = parent[name];
    if (typeof child !== 'object' || child === null) return undefined;
    if (copies.has(child)) return child as Record<string, unknown>;
    const copy = Array.isArray(child) ? [...child] : { ...child };
    copies.add(copy);
    parent[name] = copy;
    return copy as Record<string, unknown>;
  };
  for (const pointer of pointers) {
    const names = pointer.split('/').map(toName);
    const last = names.pop()!;
    let parent: Record<string, unknown> | undefined = root;
    for (const name of names) parent = parent && Object.hasOwn(parent, name) ? copyOf(parent, name) : undefined;
    if (parent && Object.hasOwn(parent, last)) parent[last] = replace(parent[last], pointer);
  }
  return root[''];
}

/** Returns the value at a pointer; undefined if it does not exist. */
export function valueAt(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map(toName)
    .reduce<unknown>(
      (from, name) =>
        typeof from === 'object' && from !== null && Object.hasOwn(from, name)
          ? (from as Record<string, unknown>)[name]
          : undefined,
      value,
    );
}
