import { pino } from 'pino';

/** Structured logs on standard error: one JSON object a line. Secrets never go in; these paths are a second guard. */
export function createLogger(role: string, level: string) {
  return pino(
    {
      level,
      base: { role },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: ['*.authorization', '*["x-api-key"]', '*.secret', '*.secretKey', '*.password'],
    },
    pino.destination({ dest: 2, sync: false }),
  );
}

export type Logger = ReturnType<typeof createLogger>;
