import { toProblem } from '../app/problem.ts';

/** A notification: what was done, or what failed. */
export interface Notice {
  text: string;
  isProblem: boolean;
  undo?: () => void;
}

let waiting: Notice[] = [];
let show: ((notice: Notice) => void) | undefined;
let load = (): void => undefined;

function add(notice: Notice): void {
  if (show) show(notice);
  else {
    waiting.push(notice);
    load();
  }
}

/** Says what was done, with a button that undoes it. It stays for 8 seconds, or as long as it has the focus or the pointer. */
export function notify(text: string, { undo }: { undo?: () => void } = {}): void {
  add({ text, isProblem: false, ...(undo ? { undo } : {}) });
}

/** Says that something failed, until it is closed. */
export function notifyProblem(error: unknown): void {
  add({ text: toProblem(error).message, isProblem: true });
}

/** Sets what runs at the first notification: it loads the region that shows them. */
export function onFirstNotice(run: () => void): void {
  load = run;
}

/** Sets what shows notifications, and shows those that wait. */
export function showNoticesWith(run: (notice: Notice) => void): void {
  show = run;
  for (const notice of waiting) run(notice);
  waiting = [];
}
