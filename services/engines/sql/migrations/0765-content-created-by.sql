ALTER TABLE content ADD COLUMN IF NOT EXISTS created_by UUID -- the user; null when no user did, or before this was recorded
