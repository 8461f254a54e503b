CREATE INDEX IF NOT EXISTS media_sha256_idx ON media (site_id, sha256)
