ALTER TABLE content ADD COLUMN IF NOT EXISTS canonical_url TEXT -- the URL that the item's page names as canonical; null: its own
