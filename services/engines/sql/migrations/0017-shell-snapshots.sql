CREATE TABLE IF NOT EXISTS shell_snapshots (
  id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
  site_id UUID NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  files INT8 NOT NULL,
  manifest JSONB NOT NULL, -- {path: {hash, bytes, content_type, updated_at}}
  created_at TIMESTAMPTZ NOT NULL DEFAULT now()
)
