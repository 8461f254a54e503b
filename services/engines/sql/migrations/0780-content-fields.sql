ALTER TABLE content ADD COLUMN IF NOT EXISTS fields JSONB NOT NULL DEFAULT '{}' -- as the schema of the item's type allows
