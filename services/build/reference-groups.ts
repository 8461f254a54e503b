/**
 * Groups files so that each group follows the files it refers to; a reference cycle forms one group (Tarjan's strongly
 * connected components). `referencesOf` must return only files among `names`.
 */
export function groupByReferences(
  names: readonly string[],
  referencesOf: (name: string) => readonly string[],
): string[][] {
  const groups: string[][] = [];
  const numbers = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();

  function close(root: string): void {
    const group = open.splice(open.lastIndexOf(root));
    for (const member of group) isOpen.delete(member);
    groups.push(group);
  }

  /** Iterative: a chain of references may be longer than the call stack. */
  function visit(start: string): void {
    const path: { name: string; left: string[] }[] = [];
    const enter = (name: string) => {
      numbers.set(name, numbers.size);
      lowest.set(name, numbers.get(name)!);
      open.push(name);
      isOpen.add(name);
      path.push({ name, left: [...referencesOf(name)] });
    };
    enter(start);
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const { name } = top;
      const next = top.left.pop();
      if (next !== undefined) {
        if (!numbers.has(next)) enter(next);
        else if (isOpen.has(next)) lowest.set(name, Math.min(lowest.get(name)!, numbers.get(next)!));
        continue;
      }
      path.pop();
      const caller = path.at(-1);
      if (caller) lowest.set(caller.name, Math.min(lowest.get(caller.name)!, lowest.get(name)!));
      if (lowest.get(name) === numbers.get(name)) close(name);
    }
  }

  for (const name of names) if (!numbers.has(name)) visit(name);
  return groups;
}
