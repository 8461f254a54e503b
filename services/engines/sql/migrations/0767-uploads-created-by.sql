ALTER TABLE uploads ADD COLUMN IF NOT EXISTS created_by UUID -- the user whose upload it is
