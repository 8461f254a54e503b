CREATE TABLE IF NOT EXISTS build_shards (
  division UUID NOT NULL, -- one of a build's pages into shards
  number INT8 NOT NULL, -- from 0, in the order of the plan
  site_id UUID NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  target TEXT NOT NULL, -- live, preview
  token UUID NOT NULL, -- of the build
  worker UUID NOT NULL, -- the process that builds
  version TEXT NOT NULL, -- of rendering: workers of other versions leave the shard alone
  inputs_hash TEXT, -- object: what another worker needs; null: only the build's own worker may take the shard
  state TEXT NOT NULL DEFAULT 'open', -- open, running, done, fault
  takes INT8 NOT NULL DEFAULT 0, -- how often a worker has taken it
  holder UUID, -- the worker that took it last
  seen_at TIMESTAMPTZ(3), -- its holder lived then
  manifest_hash TEXT, -- objects: the pages of a shard that is done, like those that a timed-out build keeps
  trace_hash TEXT,
  fault TEXT, -- the fault of a page, for the author
  PRIMARY KEY (division, number)
)
