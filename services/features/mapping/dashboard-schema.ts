import { z } from 'zod';

/** What a replay would do (`ReplayForecast`). */
export const forecastRecord = z.object({
  would: z.enum(['create', 'update', 'skip', 'fail']),
  reason: z.string().optional(),
  item: z.string().optional(),
  changes: z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() })).optional(),
  would_fetch: z.array(z.string()).optional(),
});
