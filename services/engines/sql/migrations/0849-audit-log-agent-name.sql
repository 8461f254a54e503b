ALTER TABLE audit_log ADD COLUMN IF NOT EXISTS agent_name TEXT -- the grant may be deleted
