ALTER TABLE teams ADD COLUMN IF NOT EXISTS role TEXT -- what its members are on its sites; null: it gives no role
