CREATE UNIQUE INDEX IF NOT EXISTS content_slug_key ON content (site_id, locale, slug) WHERE trashed_at IS NULL
