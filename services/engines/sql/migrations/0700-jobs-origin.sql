ALTER TABLE jobs ADD COLUMN IF NOT EXISTS origin JSONB -- the request that asked for it, and its trace
