ALTER TABLE installation ADD COLUMN IF NOT EXISTS changes_from TIMESTAMPTZ -- when content_changes is complete; NULL: always
