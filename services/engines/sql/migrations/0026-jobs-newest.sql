CREATE INDEX IF NOT EXISTS jobs_newest_idx ON jobs (site_id, created_at DESC, id DESC)
