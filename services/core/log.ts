import { pino } from 'pino';
import { currentTrace } from './tracing.ts';
import { currentIds } from './work-context.ts';

const secretMembers = [
  'authorization',
  'cookie',
  '["x-api-key"]',
  '["x-service-signature"]',
  'secret',
  'secretKey',
  'accessKey',
  'apiKey',
  'password',
];
/** Depths at which secrets are redacted: `err.config.password`, `req.headers["x-api-key"]`. */
const depths = ['', '*.', '*.*.'];

/**
 * Creates the structured log on standard error: one JSON object per line, with the ids of the current work
 * (`request_id` and others) and, if it is traced, `trace_id` and `span_id`. Secrets must never be logged; redacting
 * these paths is a second guard.
 */
export function createLogger(role: string, level: string) {
  return pino(
    {
      level,
      base: { role },
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: () => ({ ...currentIds(), ...currentTrace() }),
      redact: depths.flatMap((depth) =>
        secretMembers.map((name) => (name.startsWith('[') ? `${depth.slice(0, -1)}${name}` : `${depth}${name}`)),
      ),
    },
    pino.destination({ dest: 2, sync: false }),
  );
}

export type Logger = ReturnType<typeof createLogger>;
