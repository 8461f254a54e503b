CREATE INDEX IF NOT EXISTS events_due_idx ON events (due_at, endpoint_id) WHERE due_at IS NOT NULL
