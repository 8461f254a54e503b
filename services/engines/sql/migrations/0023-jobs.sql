CREATE TABLE IF NOT EXISTS jobs (
  id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
  site_id UUID NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  kind TEXT NOT NULL, -- publish, rebuild, scheduled, webhook
  status TEXT NOT NULL, -- queued, running, succeeded, failed
  build_token UUID, -- the build that serves it
  stage TEXT NOT NULL DEFAULT 'queued',
  done INT8 NOT NULL DEFAULT 0,
  total INT8 NOT NULL DEFAULT 0,
  error TEXT,
  result JSONB,
  touched_at TIMESTAMPTZ(3) NOT NULL DEFAULT now(), -- the latest edit a rebuild waits for
  created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  started_at TIMESTAMPTZ(3),
  finished_at TIMESTAMPTZ(3)
)
