import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { runFolder } from '../harness/stack.ts';

export interface Spread {
  count: number;
  p50: number;
  p95: number;
  max: number;
}

/** Returns milliseconds at the usual percentiles; all 0 if there are no values. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), max: at(1) };
}

/** Stores what a run has measured next to the stack's own records, and prints the path. */
export function keepFigures(figures: object): void {
  const file = path.join(runFolder, 'figures.json');
  writeFileSync(file, JSON.stringify(figures, null, 2));
  process.stderr.write(`What was measured: ${file}\n`);
}
