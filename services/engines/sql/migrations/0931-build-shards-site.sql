CREATE INDEX IF NOT EXISTS build_shards_site_idx ON build_shards (site_id, target)
