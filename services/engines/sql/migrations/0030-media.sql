CREATE TABLE IF NOT EXISTS media (
  id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
  site_id UUID NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  kind TEXT NOT NULL, -- image, video, file
  filename TEXT NOT NULL,
  mime_type TEXT NOT NULL,
  bytes INT8 NOT NULL,
  sha256 TEXT NOT NULL, -- object: the original bytes
  width INT8,
  height INT8,
  duration FLOAT8, -- seconds
  alt TEXT,
  decorative BOOLEAN NOT NULL DEFAULT false,
  status TEXT NOT NULL, -- processing, ready, failed
  error TEXT,
  variants JSONB NOT NULL, -- [{format, width, height, bytes, hash}]
  placeholder TEXT,
  focal_point JSONB,
  source_url TEXT,
  progress JSONB,
  revision INT8 NOT NULL DEFAULT 1,
  created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  trashed_at TIMESTAMPTZ(3)
)
