CREATE TABLE IF NOT EXISTS sites (
  id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
  slug TEXT NOT NULL,
  name TEXT NOT NULL,
  domain TEXT,
  default_locale TEXT NOT NULL,
  locales JSONB NOT NULL, -- [{locale, name}], the default one included
  settings JSONB NOT NULL,
  live_release UUID,
  preview_release UUID,
  version INT8 NOT NULL DEFAULT 0, -- grows with every swap of a release pointer; the swap compares and sets it
  build_token UUID, -- the build that may swap; a build thought dead has lost it
  created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  CONSTRAINT sites_slug_key UNIQUE (slug),
  CONSTRAINT sites_domain_key UNIQUE (domain)
)
