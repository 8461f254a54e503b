CREATE TABLE IF NOT EXISTS sessions (
  id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
  token_hash TEXT NOT NULL UNIQUE, -- SHA-256 of the token in the cookie
  user_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  awaits_totp BOOLEAN NOT NULL DEFAULT false, -- the password was right, the second factor is missing: opens nothing yet
  address TEXT NOT NULL, -- of the client that signed in
  user_agent TEXT NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  seen_at TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  expires_at TIMESTAMPTZ(3) NOT NULL -- at the latest, however often it is used
)
