ALTER TABLE jobs ADD COLUMN IF NOT EXISTS media_only BOOLEAN NOT NULL DEFAULT false -- the site as last published, with variants made since
