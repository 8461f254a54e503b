import type { FloodReport } from './input.ts';

/** Counts what a flood does. */
export function createLedger() {
  const outcomes: FloodReport['outcomes'] = {};
  const atOnce: FloodReport['atOnce'] = {};
  const open = new Map<string, number>();
  return {
    note(kind: string, outcome: string | number): void {
      const counts = (outcomes[kind] ??= {});
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    },
    begin(kind: string): void {
      const number = (open.get(kind) ?? 0) + 1;
      open.set(kind, number);
      atOnce[kind] = Math.max(atOnce[kind] ?? 0, number);
    },
    end(kind: string): void {
      open.set(kind, open.get(kind)! - 1);
    },
    report: (): FloodReport => ({ outcomes, atOnce }),
  };
}

export type Ledger = ReturnType<typeof createLedger>;
