CREATE INDEX IF NOT EXISTS media_trash_idx ON media (site_id, trashed_at DESC, id DESC) WHERE trashed_at IS NOT NULL
