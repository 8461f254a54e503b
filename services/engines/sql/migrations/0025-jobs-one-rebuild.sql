CREATE UNIQUE INDEX IF NOT EXISTS jobs_one_rebuild_key ON jobs (site_id) WHERE kind = 'rebuild' AND status = 'queued'
