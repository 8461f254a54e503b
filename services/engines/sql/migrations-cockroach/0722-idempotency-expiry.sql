CREATE INDEX IF NOT EXISTS idempotency_expiry_hash_idx ON idempotency_keys (expires_at) USING HASH
