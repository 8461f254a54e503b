import type { KeptPages } from './kept-pages.ts';

export interface Progress {
  stage: string;
  done: number;
  total: number;
}

/** Callbacks through which a build reports progress and learns that it must stop. */
export interface BuildWatch {
  report(progress: Progress): void;
  /** Aborted with BuildStopped when the build must stop immediately. */
  signal: AbortSignal;
  /** Throws BuildStopped or BuildTimedOut when the build must stop. */
  check(): void;
}

/** Thrown when the build was cancelled or another build replaced it. */
export class BuildStopped extends Error {}

/** Thrown when the build has reached its maximum duration. */
export class BuildTimedOut extends Error {
  /** The pages it had finished. */
  kept: KeptPages | null = null;
}
