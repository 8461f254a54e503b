const firstGapMs = 2000;
const maxGapMs = 8000;

/**
 * Wakes what a sweep finds: at once what its last turn did not find, and what it finds turn after turn ever more seldom. So a lost
 * wake is made good within seconds, and who is at work already, or waits for a turn behind many others, is not signalled by every
 * worker every two seconds: a signal costs the engine as much as a small piece of the work.
 */
export function createRewaker(
  wake: (id: string) => void,
  now: () => number = () => performance.now(),
): (found: readonly string[]) => void {
  let known = new Map<string, { gapMs: number; nextAt: number }>();

  function turn(id: string, at: number) {
    const before = known.get(id);
    if (before && at < before.nextAt) return before;
    wake(id);
    const gapMs = before ? Math.min(before.gapMs * 2, maxGapMs) : firstGapMs;
    return { gapMs, nextAt: at + gapMs };
  }
  return (found) => {
    const at = now();
    known = new Map(found.map((id) => [id, turn(id, at)]));
  };
}
