CREATE TABLE IF NOT EXISTS account_links (
  token_hash TEXT PRIMARY KEY, -- SHA-256 of the token in the link
  user_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  kind TEXT NOT NULL, -- invitation, reset, sign_in
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  expires_at TIMESTAMPTZ(3) NOT NULL
)
