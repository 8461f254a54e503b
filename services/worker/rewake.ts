const firstGapMs = 2000;
const maxGapMs = 8000;

/**
 * Creates a function that wakes the actors a sweep finds: immediately if the previous sweep did not find them, then at
 * growing intervals. A lost wake is therefore repeated within seconds, while an actor that is already working, or
 * queued behind many others, is not signalled by every worker every two seconds: a signal costs the engine as much as a
 * small piece of work.
 */
export function createRewaker(
  wake: (id: string) => void,
  now: () => number = () => performance.now(),
): (found: readonly string[]) => void {
  let wakes = new Map<string, { gapMs: number; nextAt: number }>();

  function turn(id: string, at: number) {
    const before = wakes.get(id);
    if (before && at < before.nextAt) return before;
    wake(id);
    const gapMs = before ? Math.min(before.gapMs * 2, maxGapMs) : firstGapMs;
    return { gapMs, nextAt: at + gapMs };
  }
  return (found) => {
    const at = now();
    wakes = new Map(found.map((id) => [id, turn(id, at)]));
  };
}
