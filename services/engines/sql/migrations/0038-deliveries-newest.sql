CREATE INDEX IF NOT EXISTS deliveries_newest_idx ON deliveries (integration_id, received_at DESC, id DESC)
