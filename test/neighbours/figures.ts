import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { runFolder } from '../harness/stack.ts';

export interface Spread {
  count: number;
  p50: number;
  p95: number;
  max: number;
}

/** Milliseconds at the usual points of their distribution; all 0 when there are none. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), max: at(1) };
}

/** Keeps what a run has measured beside the stack's own records, and says where. */
export function keepFigures(figures: object): void {
  const file = path.join(runFolder, 'figures.json');
  writeFileSync(file, JSON.stringify(figures, null, 2));
  process.stderr.write(`What was measured: ${file}\n`);
}
