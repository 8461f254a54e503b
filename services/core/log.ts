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
/** At the top, in a member, and in a member of that: `err.config.password`, `req.headers["x-api-key"]`. */
const depths = ['', '*.', '*.*.'];

/**
 * Structured logs on standard error: one JSON object a line, with the ids of the work under way (`request_id` and others) and, when
 * it is traced, `trace_id` and `span_id`. Secrets never go in; these paths are a second guard.
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
