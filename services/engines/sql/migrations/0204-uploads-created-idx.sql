CREATE INDEX IF NOT EXISTS uploads_created_idx ON uploads (created_at)
