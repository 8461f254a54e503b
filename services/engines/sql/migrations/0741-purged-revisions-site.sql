CREATE INDEX IF NOT EXISTS purged_revisions_site_idx ON purged_revisions (site_id)
