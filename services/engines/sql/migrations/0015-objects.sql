CREATE TABLE IF NOT EXISTS objects (
  hash TEXT PRIMARY KEY, -- SHA-256 of the bytes, hex
  bytes INT8 NOT NULL,
  object_key TEXT NOT NULL, -- random: a pack holds many hashes
  object_offset INT8 NOT NULL,
  pinned_at TIMESTAMPTZ(3) NOT NULL DEFAULT now(), -- a write that found it present says so here; collection waits after it
  condemned_at TIMESTAMPTZ(3)
)
