-- what a search without regard to case compares: computing it for every item took most of a search's time
ALTER TABLE content_texts ADD COLUMN IF NOT EXISTS folded TEXT GENERATED ALWAYS AS (lower(body)) STORED
