ALTER TABLE jobs ADD COLUMN IF NOT EXISTS as_published BOOLEAN NOT NULL DEFAULT false -- the site as last published, with its address of today and variants made since
