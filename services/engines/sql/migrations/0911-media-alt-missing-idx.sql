CREATE INDEX IF NOT EXISTS media_alt_missing_idx ON media (site_id, created_at DESC, id DESC)
WHERE trashed_at IS NULL AND kind = 'image' AND NOT decorative AND (alt_stand_in OR alt IS NULL OR alt = '')
