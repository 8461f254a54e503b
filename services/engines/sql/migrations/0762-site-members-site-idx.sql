CREATE INDEX IF NOT EXISTS site_members_site_idx ON site_members (site)
