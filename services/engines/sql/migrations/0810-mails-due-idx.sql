CREATE INDEX IF NOT EXISTS mails_due_idx ON mails (next_attempt_at) WHERE status = 'queued'
