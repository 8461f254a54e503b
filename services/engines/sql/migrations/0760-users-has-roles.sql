ALTER TABLE users ADD COLUMN IF NOT EXISTS has_roles BOOLEAN NOT NULL DEFAULT false -- whether a role was ever given; until then keys do what their scopes and sites say
