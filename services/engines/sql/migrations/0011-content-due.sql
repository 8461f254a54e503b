CREATE INDEX IF NOT EXISTS content_due_idx ON content (scheduled_at, site_id) WHERE status = 'scheduled' AND trashed_at IS NULL
