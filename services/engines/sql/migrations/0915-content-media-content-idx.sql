CREATE INDEX IF NOT EXISTS content_media_content_idx ON content_media (content_id)
