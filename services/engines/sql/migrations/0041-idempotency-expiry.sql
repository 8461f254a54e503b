CREATE INDEX IF NOT EXISTS idempotency_expiry_idx ON idempotency_keys (expires_at)
