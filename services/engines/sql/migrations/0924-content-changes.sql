CREATE TABLE IF NOT EXISTS content_changes (
  site_id UUID NOT NULL, -- no foreign key: a write of an item would lock the site's row, which builds lock
  id UUID NOT NULL DEFAULT gen_random_uuid(),
  content_id UUID NOT NULL, -- written by the transaction that added the row
  PRIMARY KEY (site_id, id)
)
