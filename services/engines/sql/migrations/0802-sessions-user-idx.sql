CREATE INDEX IF NOT EXISTS sessions_user_idx ON sessions (user_id)
