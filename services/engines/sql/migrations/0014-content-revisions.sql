CREATE TABLE IF NOT EXISTS content_revisions (
  content_id UUID NOT NULL REFERENCES content (id) ON DELETE CASCADE,
  revision INT8 NOT NULL,
  site_id UUID NOT NULL,
  record JSONB NOT NULL, -- the columns of the item as of this revision, without the body
  body_html TEXT NOT NULL,
  body_hash TEXT,
  changed_by TEXT NOT NULL, -- key id, integration or scheduler
  created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  PRIMARY KEY (content_id, revision)
)
