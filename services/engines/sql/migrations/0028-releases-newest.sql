CREATE INDEX IF NOT EXISTS releases_newest_idx ON releases (site_id, created_at DESC, id DESC) WHERE preview = false
