CREATE TABLE IF NOT EXISTS uploads (
  id UUID PRIMARY KEY,
  site_id UUID NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  length INT8 NOT NULL, -- bytes announced
  received INT8 NOT NULL DEFAULT 0,
  parts JSONB NOT NULL, -- [{hash, bytes}]: objects that hold what has come so far, in order
  metadata JSONB NOT NULL, -- as the client sent it: site, filename, alt, decorative
  media_id UUID, -- the item that came of it
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT now()
)
