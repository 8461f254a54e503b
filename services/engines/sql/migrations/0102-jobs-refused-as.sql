ALTER TABLE jobs ADD COLUMN IF NOT EXISTS refused_as TEXT -- the code by which an engine refused the last attempt
