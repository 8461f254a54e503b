CREATE INDEX IF NOT EXISTS account_links_expiry_idx ON account_links (expires_at)
