CREATE INDEX IF NOT EXISTS audit_log_site_idx ON audit_log (site_id, created_at DESC, id DESC)
