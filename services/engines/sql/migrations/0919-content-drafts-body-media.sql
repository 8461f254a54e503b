ALTER TABLE content_drafts ADD COLUMN IF NOT EXISTS body_media TEXT[] NOT NULL DEFAULT '{}' -- ids in the body that may name media items
