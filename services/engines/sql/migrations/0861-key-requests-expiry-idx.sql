CREATE INDEX IF NOT EXISTS key_requests_expiry_idx ON key_requests (expires_at)
