import { writeSync } from 'node:fs';

/** A component that is being rendered in a process. */
export interface WorkNote {
  component: string;
  place: string;
}

const mark = 'component at work: ';

/** Writes a note to standard error, where the parent finds it if this process ends without a message. */
export function leaveNote(work: WorkNote | null): void {
  writeSync(2, `${mark}${JSON.stringify(work)}\n`);
}

/** Returns the component that was being rendered when a process ended, from its output; null if none. */
export function readLastNote(output: string): WorkNote | null {
  const last = output.split('\n').findLast((line) => line.startsWith(mark));
  return last === undefined ? null : (JSON.parse(last.slice(mark.length)) as WorkNote | null);
}
