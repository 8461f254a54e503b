CREATE INDEX IF NOT EXISTS agent_grants_expiry_idx ON agent_grants (expires_at)
