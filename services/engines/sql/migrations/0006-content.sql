CREATE TABLE IF NOT EXISTS content (
  id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
  site_id UUID NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  revision INT8 NOT NULL DEFAULT 1,
  type TEXT NOT NULL,
  title TEXT NOT NULL,
  slug TEXT NOT NULL,
  locale TEXT NOT NULL,
  body_html TEXT NOT NULL, -- empty when body_hash names the object that holds it
  body_hash TEXT,
  excerpt TEXT,
  author TEXT,
  status TEXT NOT NULL,
  scheduled_at TIMESTAMPTZ(3),
  published_at TIMESTAMPTZ(3),
  featured_media_id UUID,
  seo_title TEXT,
  seo_description TEXT,
  tags TEXT[] NOT NULL,
  source_scope TEXT NOT NULL DEFAULT '', -- '' for REST refs, else the integration's id: refs of one are apart from the others'
  source_ref TEXT,
  translation_of UUID,
  warnings JSONB NOT NULL,
  created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  trashed_at TIMESTAMPTZ(3)
)
