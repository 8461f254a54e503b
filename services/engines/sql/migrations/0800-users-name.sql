ALTER TABLE users ADD COLUMN IF NOT EXISTS name TEXT -- as the user gave it; null until then
