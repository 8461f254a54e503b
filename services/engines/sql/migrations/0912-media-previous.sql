ALTER TABLE media ADD COLUMN IF NOT EXISTS previous JSONB -- the file and description before the last replacement: what undoing it brings back
