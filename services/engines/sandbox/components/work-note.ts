import { writeSync } from 'node:fs';

/** A component at work in a process. */
export interface WorkNote {
  component: string;
  place: string;
}

const mark = 'component at work: ';

/** Leaves a note on standard error, where the parent finds it when this process ends without a word. */
export function leaveNote(work: WorkNote | null): void {
  writeSync(2, `${mark}${JSON.stringify(work)}\n`);
}

/** The component that was at work when a process ended, from what it wrote; null when there was none. */
export function readLastNote(output: string): WorkNote | null {
  const last = output.split('\n').findLast((line) => line.startsWith(mark));
  return last === undefined ? null : (JSON.parse(last.slice(mark.length)) as WorkNote | null);
}
