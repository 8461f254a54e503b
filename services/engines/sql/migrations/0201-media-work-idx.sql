CREATE INDEX IF NOT EXISTS media_work_idx ON media (site_id, created_at, id) WHERE work IS NOT NULL
