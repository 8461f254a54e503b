CREATE TABLE IF NOT EXISTS events (
  id UUID PRIMARY KEY DEFAULT gen_random_uuid(), -- the webhook-id: the same at every attempt
  endpoint_id UUID NOT NULL REFERENCES event_endpoints (id) ON DELETE CASCADE,
  site_id UUID NOT NULL,
  type TEXT NOT NULL,
  payload TEXT, -- exactly what is signed and sent; null after retention
  status TEXT NOT NULL, -- queued, sending, delivered, failed
  attempts INT8 NOT NULL DEFAULT 0,
  due_at TIMESTAMPTZ(3), -- when it is to be sent; null when it has ended
  claim UUID, -- the worker's run that sends it; another run's writes find another claim
  log JSONB NOT NULL, -- [{at, duration_ms, status, error}]
  error TEXT,
  created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  finished_at TIMESTAMPTZ(3),
  purged_at TIMESTAMPTZ(3) -- when retention took its payload
)
