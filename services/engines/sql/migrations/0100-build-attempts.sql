CREATE TABLE IF NOT EXISTS build_attempts (
  token UUID PRIMARY KEY, -- of the build
  site_id UUID NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  target TEXT NOT NULL, -- live, preview
  worker UUID NOT NULL, -- the process that builds
  started_at TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  seen_at TIMESTAMPTZ(3) NOT NULL DEFAULT now(), -- its worker lived then
  fault TEXT, -- crash, timeout; null while it is under way
  kept_manifest_hash TEXT, -- objects: the pages that it had finished when its time was over
  kept_trace_hash TEXT
)
