CREATE INDEX IF NOT EXISTS key_requests_user_idx ON key_requests (user_id)
