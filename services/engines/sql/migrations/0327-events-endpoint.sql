CREATE INDEX IF NOT EXISTS events_endpoint_idx ON events (endpoint_id, created_at DESC, id DESC)
