CREATE INDEX IF NOT EXISTS build_attempts_site_idx ON build_attempts (site_id, target)
