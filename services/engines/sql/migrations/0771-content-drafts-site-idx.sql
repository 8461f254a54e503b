CREATE INDEX IF NOT EXISTS content_drafts_site_idx ON content_drafts (site_id)
