CREATE TABLE IF NOT EXISTS content_field_values (
  site_id UUID NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL, -- the value as text; the hash of a long one
  content_id UUID NOT NULL REFERENCES content (id) ON DELETE CASCADE,
  PRIMARY KEY (site_id, name, value, content_id)
)
