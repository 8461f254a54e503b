CREATE INDEX IF NOT EXISTS event_endpoints_site_idx ON event_endpoints (site_id, created_at DESC, id DESC)
