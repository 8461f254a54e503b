CREATE INDEX IF NOT EXISTS media_newest_idx ON media (site_id, created_at DESC, id DESC) WHERE trashed_at IS NULL
