CREATE TABLE IF NOT EXISTS components (
  site_id UUID NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  handle TEXT NOT NULL,
  type TEXT NOT NULL, -- html, react
  source_hash TEXT NOT NULL, -- object: the source as sent
  compiled_hash TEXT, -- object: what the build runs
  css TEXT,
  variables_schema JSONB,
  sha256 TEXT NOT NULL,
  meta JSONB NOT NULL,
  created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (site_id, handle)
)
