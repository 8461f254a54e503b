CREATE INDEX IF NOT EXISTS events_retention_idx ON events (finished_at) WHERE purged_at IS NULL AND finished_at IS NOT NULL
