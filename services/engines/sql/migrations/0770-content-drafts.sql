CREATE TABLE IF NOT EXISTS content_drafts (
  content_id UUID PRIMARY KEY REFERENCES content (id) ON DELETE CASCADE,
  site_id UUID NOT NULL,
  base_revision INT8 NOT NULL, -- of the item when the draft was begun
  members JSONB NOT NULL, -- what to change, without the body
  body_html TEXT, -- null: the body is not to change
  body_hash TEXT,
  body_text TEXT, -- what is searched once the draft is applied
  warnings JSONB NOT NULL, -- of the body
  changed_by TEXT NOT NULL, -- as in content_revisions
  created_at TIMESTAMPTZ NOT NULL,
  updated_at TIMESTAMPTZ NOT NULL
)
