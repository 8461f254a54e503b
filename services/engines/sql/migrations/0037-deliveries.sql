CREATE TABLE IF NOT EXISTS deliveries (
  id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
  integration_id UUID NOT NULL REFERENCES integrations (id) ON DELETE CASCADE,
  site_id UUID NOT NULL,
  delivery_id TEXT NOT NULL,
  seq INT8 NOT NULL, -- order of acceptance within the integration; a replay takes a new one
  status TEXT NOT NULL, -- queued, processing, succeeded, skipped, failed
  attempts INT8 NOT NULL DEFAULT 0,
  next_attempt_at TIMESTAMPTZ(3),
  headers JSONB NOT NULL,
  body BYTEA, -- null when body_hash names the object that holds it, or after retention
  body_hash TEXT,
  job_id UUID, -- the job that makes it live
  mapped JSONB, -- what the mapper wrote
  result JSONB,
  error TEXT,
  timeline JSONB NOT NULL, -- [{at, event, ...}]
  received_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  finished_at TIMESTAMPTZ(3),
  CONSTRAINT deliveries_delivery_key UNIQUE (integration_id, delivery_id)
)
