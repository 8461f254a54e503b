CREATE TABLE IF NOT EXISTS agent_tokens (
  token_hash TEXT PRIMARY KEY, -- SHA-256 of the token
  grant_id UUID NOT NULL REFERENCES agent_grants (id) ON DELETE CASCADE,
  kind TEXT NOT NULL, -- code, access, refresh
  code_challenge TEXT, -- of a code: PKCE, S256
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  used_at TIMESTAMPTZ(3), -- a code or refresh token is used once
  expires_at TIMESTAMPTZ(3) NOT NULL
)
