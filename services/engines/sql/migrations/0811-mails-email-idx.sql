CREATE INDEX IF NOT EXISTS mails_email_idx ON mails (email, created_at)
