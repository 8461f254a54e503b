CREATE INDEX IF NOT EXISTS releases_awaited_media_idx ON releases (id) WHERE awaited_media IS NOT NULL
