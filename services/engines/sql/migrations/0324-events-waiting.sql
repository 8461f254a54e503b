CREATE INDEX IF NOT EXISTS events_waiting_idx ON events (endpoint_id, due_at) WHERE due_at IS NOT NULL
