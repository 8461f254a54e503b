CREATE INDEX IF NOT EXISTS content_newest_idx ON content (site_id, created_at DESC, id DESC) WHERE trashed_at IS NULL
