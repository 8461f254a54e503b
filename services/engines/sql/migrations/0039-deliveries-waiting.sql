CREATE INDEX IF NOT EXISTS deliveries_waiting_idx ON deliveries (integration_id, seq) WHERE status IN ('queued', 'processing') OR next_attempt_at IS NOT NULL
