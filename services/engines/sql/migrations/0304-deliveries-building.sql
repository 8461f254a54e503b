CREATE INDEX IF NOT EXISTS deliveries_building_idx ON deliveries (site_id, job_id) WHERE status = 'processing' AND job_id IS NOT NULL
