function sorted(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Whether two values are the same JSON, in whatever order their members are: databases do not keep it. */
export function sameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one, sorted) === JSON.stringify(other, sorted);
}
