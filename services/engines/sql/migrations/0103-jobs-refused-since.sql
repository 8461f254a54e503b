ALTER TABLE jobs ADD COLUMN IF NOT EXISTS refused_since TIMESTAMPTZ(3) -- every attempt since then ended by that code
