/** The progress of an engine that takes long to prepare. */
export interface Progress {
  engine: string;
  /** The current step as a verb phrase: `building Temporal: 812 of 2210 packages`. */
  doing: string;
  elapsedSeconds: number;
}

export type ReportProgress = (progress: Progress) => void;

/**
 * Reports at once and then every second until the work is done; `describe` returns the current step. Resolves or
 * rejects as the work does.
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
