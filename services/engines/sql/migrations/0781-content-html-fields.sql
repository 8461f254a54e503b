ALTER TABLE content ADD COLUMN IF NOT EXISTS html_fields TEXT[] NOT NULL DEFAULT '{}' -- JSON pointers of the texts in `fields` that were sanitized when they were written
