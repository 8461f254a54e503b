CREATE TABLE IF NOT EXISTS redirects (
  id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
  site_id UUID NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  from_path TEXT NOT NULL,
  to_url TEXT NOT NULL,
  status INT8 NOT NULL,
  created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  CONSTRAINT redirects_from_key UNIQUE (site_id, from_path)
)
