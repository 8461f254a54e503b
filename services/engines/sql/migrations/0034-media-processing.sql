CREATE INDEX IF NOT EXISTS media_processing_idx ON media (created_at) WHERE status = 'processing'
