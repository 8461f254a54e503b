ALTER TABLE audit_log ADD COLUMN IF NOT EXISTS agent_id UUID -- the grant of an agent
