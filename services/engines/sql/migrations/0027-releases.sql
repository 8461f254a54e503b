CREATE TABLE IF NOT EXISTS releases (
  id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
  site_id UUID NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  preview BOOLEAN NOT NULL,
  manifest_hash TEXT NOT NULL, -- object: path to hash, size, type, place
  inputs_hash TEXT NOT NULL, -- object: what the build read, down to each item's revision
  trace_hash TEXT NOT NULL, -- object: what each page read
  pages INT8 NOT NULL,
  changed INT8 NOT NULL,
  bytes INT8 NOT NULL,
  created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  replaced_at TIMESTAMPTZ(3) -- when another release took its place
)
