CREATE INDEX IF NOT EXISTS audit_log_newest_idx ON audit_log (created_at DESC, id DESC)
