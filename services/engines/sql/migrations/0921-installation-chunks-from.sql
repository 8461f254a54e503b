ALTER TABLE installation ADD COLUMN IF NOT EXISTS chunks_from TIMESTAMPTZ -- when releases may be written in chunks; NULL: at any time
