CREATE TABLE IF NOT EXISTS site_members (
  user_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  site TEXT NOT NULL, -- a slug, or '*'
  role TEXT NOT NULL, -- owner, editor, author, viewer
  created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, site)
)
