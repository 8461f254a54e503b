CREATE INDEX IF NOT EXISTS media_source_url_idx ON media (site_id, md5(source_url)) WHERE source_url IS NOT NULL
