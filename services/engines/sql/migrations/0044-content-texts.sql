CREATE TABLE IF NOT EXISTS content_texts (
  site_id UUID NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  content_id UUID NOT NULL,
  body TEXT NOT NULL, -- the readable text of an item's body, whatever its size: what the filter q searches
  PRIMARY KEY (site_id, content_id)
)
