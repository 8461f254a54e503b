import { formatTimestamp } from '../../core/timestamp.ts';
import type { AuditRow } from './sql.ts';

/** Returns the `AuditEntry` record of a row. */
export function presentChange(row: AuditRow) {
  const { user_id, key_id, integration_id, agent_id, site_id, target_kind } = row;
  return {
    id: row.id,
    created_at: formatTimestamp(row.created_at),
    operation: row.operation,
    via: row.via,
    user: user_id === null ? null : { id: user_id, email: row.user_email },
    key: key_id === null ? null : { id: key_id, name: row.key_name },
    integration: integration_id === null ? null : { id: integration_id, slug: row.integration_slug },
    agent: agent_id === null ? null : { id: agent_id, name: row.agent_name },
    site: site_id === null ? null : { id: site_id, slug: row.site_slug },
    target: target_kind === null ? null : { kind: target_kind, id: row.target_id, name: row.target_name },
    request_id: row.request_id,
  };
}
