CREATE INDEX IF NOT EXISTS content_field_values_content_idx ON content_field_values (content_id)
