CREATE INDEX IF NOT EXISTS events_newest_idx ON events (site_id, created_at DESC, id DESC)
