CREATE INDEX IF NOT EXISTS deliveries_retention_idx ON deliveries (finished_at) WHERE purged_at IS NULL AND finished_at IS NOT NULL
