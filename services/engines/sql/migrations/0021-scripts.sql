CREATE TABLE IF NOT EXISTS scripts (
  id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
  site_id UUID NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  position TEXT NOT NULL, -- head, body_end
  src TEXT,
  code TEXT,
  created_at TIMESTAMPTZ NOT NULL DEFAULT now()
)
