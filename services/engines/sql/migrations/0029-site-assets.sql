CREATE TABLE IF NOT EXISTS site_assets (
  site_id UUID NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  path TEXT NOT NULL, -- has the hash in its name, so it never changes its bytes
  hash TEXT NOT NULL,
  bytes INT8 NOT NULL,
  content_type TEXT NOT NULL,
  retired_at TIMESTAMPTZ(3), -- when the last release that had it was replaced
  PRIMARY KEY (site_id, path)
)
