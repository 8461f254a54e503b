CREATE INDEX IF NOT EXISTS agent_tokens_grant_idx ON agent_tokens (grant_id)
