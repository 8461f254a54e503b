-- the text in lower case, which a search compares: computing it for every item took most of the search's time
ALTER TABLE content_texts ADD COLUMN IF NOT EXISTS folded TEXT GENERATED ALWAYS AS (lower(body)) STORED
