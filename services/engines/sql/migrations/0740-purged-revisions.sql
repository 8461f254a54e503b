CREATE TABLE IF NOT EXISTS purged_revisions (
  content_id UUID NOT NULL, -- an item that was purged while the live release showed it
  revision INT8 NOT NULL,
  site_id UUID NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  record JSONB NOT NULL, -- as in content_revisions
  body_html TEXT NOT NULL,
  body_hash TEXT,
  created_at TIMESTAMPTZ NOT NULL,
  item_created_at TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (content_id, revision, site_id)
)
