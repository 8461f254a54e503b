interface Work {
  busyMs?: number;
  fillMb?: number;
  fail?: string;
  answer?: unknown;
}

/** Does what the test specifies, in a thread. */
export default function run({ busyMs = 0, fillMb = 0, fail, answer }: Work): unknown {
  const until = performance.now() + busyMs;
  const held: number[][] = [];
  while (performance.now() < until || held.length < fillMb) {
    if (held.length < fillMb) held.push(Array.from({ length: 131_072 }, (_, n) => n + 0.5));
  }
  if (fail !== undefined) throw new Error(fail);
  return answer;
}
