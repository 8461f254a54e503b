CREATE TABLE IF NOT EXISTS object_copies (
  target TEXT NOT NULL, -- the store that objects are copied to
  object_key TEXT NOT NULL, -- one that lies there whole: every blob in it was compared with its hash
  PRIMARY KEY (target, object_key)
)
