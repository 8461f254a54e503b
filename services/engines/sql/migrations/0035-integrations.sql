CREATE TABLE IF NOT EXISTS integrations (
  id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
  site_id UUID NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  slug TEXT NOT NULL,
  name TEXT NOT NULL,
  mapper TEXT NOT NULL,
  enabled BOOLEAN NOT NULL DEFAULT true,
  secret TEXT NOT NULL, -- encrypted (AES-256-GCM)
  previous_secret TEXT,
  previous_until TIMESTAMPTZ(3),
  next_seq INT8 NOT NULL DEFAULT 1,
  created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  CONSTRAINT integrations_slug_key UNIQUE (slug)
)
