ALTER TABLE deliveries ADD COLUMN IF NOT EXISTS origin JSONB -- the request that brought it, and its trace
