CREATE TABLE IF NOT EXISTS teams (
  id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  sites TEXT[] NOT NULL, -- site slugs, or '*'
  created_at TIMESTAMPTZ NOT NULL DEFAULT now()
)
