/** What is happening to an engine that takes its time. */
export interface Progress {
  engine: string;
  /** What is being done, as a verb phrase: `building Temporal: 812 of 2210 packages`. */
  doing: string;
  elapsedSeconds: number;
}

export type ReportProgress = (progress: Progress) => void;

/**
 * Reports at once and then every second until the work is done; `describe` says what is being done at that moment.
 * Passes on the work's result and its error.
 */
export async function reportWhile<T>(
  engine: string,
  report: ReportProgress,
  describe: () => string,
  work: Promise<T>,
): Promise<T> {
  const startedAt = Date.now();
  const tell = () => report({ engine, doing: describe(), elapsedSeconds: Math.round((Date.now() - startedAt) / 1000) });
  tell();
  const timer = setInterval(tell, 1000);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
