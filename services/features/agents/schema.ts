import { z } from 'zod';
import { timestampText, uuidText } from '../../core/schema.ts';

const agentRecord = z.object({
  id: uuidText,
  name: z.string(),
  client_id: z.string(),
  redirect_host: z.string(),
  scopes: z.array(z.string()),
  sites: z.array(z.string()),
  created_at: timestampText,
  used_at: timestampText.nullable(),
});
export const agentsRecord = z.object({ agents: z.array(agentRecord) });
