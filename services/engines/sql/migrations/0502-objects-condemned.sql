CREATE INDEX IF NOT EXISTS objects_condemned_idx ON objects (condemned_at, hash) WHERE condemned_at IS NOT NULL
