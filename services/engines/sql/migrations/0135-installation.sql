CREATE TABLE IF NOT EXISTS installation (
  one INT8 PRIMARY KEY, -- 1: there is one row
  id UUID NOT NULL DEFAULT gen_random_uuid() -- keys of objects begin with it
)
