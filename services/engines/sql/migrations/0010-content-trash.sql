CREATE INDEX IF NOT EXISTS content_trash_idx ON content (site_id, trashed_at DESC, id DESC) WHERE trashed_at IS NOT NULL
