CREATE TABLE IF NOT EXISTS leases (
  name TEXT PRIMARY KEY, -- a piece of work that one process does at a time
  holder UUID NOT NULL,
  expires_at TIMESTAMPTZ(3) NOT NULL, -- a crashed holder's lease ends by itself
  due_at TIMESTAMPTZ(3) NOT NULL DEFAULT now() -- not to be done again before
)
