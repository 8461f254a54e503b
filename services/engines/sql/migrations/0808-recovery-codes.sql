CREATE TABLE IF NOT EXISTS recovery_codes (
  user_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  code_hash TEXT NOT NULL, -- SHA-256 of a code of 80 random bits; a used one has no row
  PRIMARY KEY (user_id, code_hash)
)
