CREATE INDEX IF NOT EXISTS site_hosts_site_idx ON site_hosts (site_id)
