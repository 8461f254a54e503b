CREATE TABLE IF NOT EXISTS api_keys (
  id TEXT PRIMARY KEY, -- the 8-character public id
  user_id UUID NOT NULL REFERENCES users (id),
  name TEXT NOT NULL,
  scopes TEXT[] NOT NULL,
  sites TEXT[] NOT NULL, -- site slugs, or '*'
  secret_hash TEXT NOT NULL, -- argon2id
  previous_hash TEXT, -- the secret before a rotation with an overlap
  previous_until TIMESTAMPTZ(3),
  revoked_at TIMESTAMPTZ(3),
  created_at TIMESTAMPTZ NOT NULL DEFAULT now()
)
