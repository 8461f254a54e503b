CREATE INDEX IF NOT EXISTS scripts_site_idx ON scripts (site_id, created_at DESC, id DESC)
