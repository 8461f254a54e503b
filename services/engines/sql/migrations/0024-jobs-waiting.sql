CREATE INDEX IF NOT EXISTS jobs_waiting_idx ON jobs (site_id, kind) WHERE status IN ('queued', 'running')
