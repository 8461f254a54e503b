CREATE TABLE IF NOT EXISTS shell_files (
  site_id UUID NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  hash TEXT NOT NULL,
  bytes INT8 NOT NULL,
  content_type TEXT NOT NULL,
  updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (site_id, path)
)
