CREATE INDEX IF NOT EXISTS agent_clients_expiry_idx ON agent_clients (expires_at)
