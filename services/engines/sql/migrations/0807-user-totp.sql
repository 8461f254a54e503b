CREATE TABLE IF NOT EXISTS user_totp (
  user_id UUID PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  secret TEXT NOT NULL, -- encrypted with FIELDSTONE_SECRET_KEY
  confirmed_at TIMESTAMPTZ(3), -- null: set up, and not asked for yet
  last_step INT8 NOT NULL DEFAULT 0, -- the time step of the last code that was accepted: no code counts twice
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT now()
)
