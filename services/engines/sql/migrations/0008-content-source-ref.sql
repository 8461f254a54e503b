CREATE UNIQUE INDEX IF NOT EXISTS content_source_ref_key ON content (site_id, source_scope, source_ref) WHERE source_ref IS NOT NULL
