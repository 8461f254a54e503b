CREATE TABLE IF NOT EXISTS audit_log (
  id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  operation TEXT NOT NULL, -- an operationId, or a command
  via TEXT NOT NULL, -- key, cli, webhook, scheduler; later dashboard, agent
  user_id UUID, -- whose key it was
  key_id TEXT,
  integration_id UUID,
  integration_slug TEXT, -- the integration may be deleted
  site_id UUID, -- no reference: rows outlive their site
  site_slug TEXT,
  target_kind TEXT,
  target_id TEXT,
  target_name TEXT,
  request_id TEXT
)
