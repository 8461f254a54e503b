CREATE INDEX IF NOT EXISTS shell_snapshots_newest_idx ON shell_snapshots (site_id, created_at DESC, id DESC)
