CREATE INDEX IF NOT EXISTS account_links_user_idx ON account_links (user_id)
