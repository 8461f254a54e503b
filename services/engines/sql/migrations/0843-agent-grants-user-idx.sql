CREATE INDEX IF NOT EXISTS agent_grants_user_idx ON agent_grants (user_id)
