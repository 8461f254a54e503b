CREATE INDEX IF NOT EXISTS content_translation_idx ON content (translation_of) WHERE translation_of IS NOT NULL
