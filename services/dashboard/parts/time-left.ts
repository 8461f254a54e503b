import { useRef } from 'react';
import type { Job } from './activity.ts';

const minSeenMs = 1_500;

/** Returns the seconds that the present stage of a job still takes at its pace so far; undefined until that can be told. */
export function useTimeLeft({ uuid, progress: { stage, done, total } }: Job): number | undefined {
  const first = useRef<{ name: string; atMs: number; done: number }>(undefined);
  const name = `${uuid} ${stage}`;
  const nowMs = performance.now();
  if (first.current?.name !== name) first.current = { name, atMs: nowMs, done };
  const seenMs = nowMs - first.current.atMs;
  const made = done - first.current.done;
  if (total === 0 || made <= 0 || seenMs < minSeenMs) return undefined;
  return ((seenMs / made) * (total - done)) / 1000;
}
