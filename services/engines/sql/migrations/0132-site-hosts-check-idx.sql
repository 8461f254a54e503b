CREATE INDEX IF NOT EXISTS site_hosts_check_idx ON site_hosts (check_at) WHERE proven_at IS NULL
