CREATE TABLE IF NOT EXISTS event_endpoints (
  id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
  site_id UUID NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  url TEXT NOT NULL,
  events TEXT[] NOT NULL, -- the types that it wants
  enabled BOOLEAN NOT NULL DEFAULT true,
  secret TEXT NOT NULL, -- encrypted (AES-256-GCM)
  previous_secret TEXT,
  previous_until TIMESTAMPTZ(3),
  failing_since TIMESTAMPTZ(3), -- the first failure since the last success
  disabled_at TIMESTAMPTZ(3),
  disabled_reason TEXT, -- null when somebody disabled it
  created_at TIMESTAMPTZ NOT NULL DEFAULT now()
)
