CREATE INDEX IF NOT EXISTS integrations_site_idx ON integrations (site_id, created_at DESC, id DESC)
