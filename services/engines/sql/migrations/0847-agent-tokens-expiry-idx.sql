CREATE INDEX IF NOT EXISTS agent_tokens_expiry_idx ON agent_tokens (expires_at)
