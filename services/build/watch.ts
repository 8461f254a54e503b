import type { KeptPages } from './kept-pages.ts';

export interface Progress {
  stage: string;
  done: number;
  total: number;
}

/** What a build tells, and asks, while it works. */
export interface BuildWatch {
  report(progress: Progress): void;
  /** Aborted with BuildStopped when the build is to stop at once. */
  signal: AbortSignal;
  /** Throws BuildStopped or BuildTimedOut when the build is to stop. */
  check(): void;
}

/** The build was told to stop, or another build took its place. */
export class BuildStopped extends Error {}

/** The build has run for as long as one may. */
export class BuildTimedOut extends Error {
  /** What it had finished. */
  kept: KeptPages | null = null;
}
