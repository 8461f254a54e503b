CREATE TABLE IF NOT EXISTS engines (
  id INT8 PRIMARY KEY CHECK (id = 1), -- the one row
  actors TEXT NOT NULL CHECK (actors IN ('embedded', 'temporal')), -- the runtime of the actors
  objects TEXT NOT NULL CHECK (objects IN ('files', 's3')), -- where objects are stored
  fallback TEXT CHECK (fallback IN ('files', 's3')), -- the store before, while it still has objects that the other one lacks
  changed_at TIMESTAMPTZ(3) NOT NULL DEFAULT now()
)
