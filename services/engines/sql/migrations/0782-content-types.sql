CREATE TABLE IF NOT EXISTS content_types (
  site_id UUID NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  type TEXT NOT NULL,
  name TEXT NOT NULL,
  fields_schema JSONB NOT NULL,
  version INT8 NOT NULL DEFAULT 1, -- what a write has checked its fields against
  created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  updated_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  PRIMARY KEY (site_id, type)
)
