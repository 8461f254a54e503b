CREATE TABLE IF NOT EXISTS key_requests (
  token_hash TEXT PRIMARY KEY, -- SHA-256 of the token that the command line keeps
  code TEXT NOT NULL UNIQUE, -- shown by the command line and by the page of the dashboard
  name TEXT NOT NULL,
  scopes TEXT[] NOT NULL,
  sites TEXT[] NOT NULL,
  address TEXT NOT NULL, -- of the client that made the request
  user_id UUID REFERENCES users (id) ON DELETE CASCADE, -- who approved or denied it; null: open
  denied BOOL NOT NULL DEFAULT false,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  expires_at TIMESTAMPTZ(3) NOT NULL
)
