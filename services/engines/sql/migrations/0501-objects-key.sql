CREATE INDEX IF NOT EXISTS objects_key_idx ON objects (object_key)
