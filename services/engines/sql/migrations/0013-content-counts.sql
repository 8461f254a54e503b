CREATE TABLE IF NOT EXISTS content_counts (
  site_id UUID NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  shard INT8 NOT NULL, -- up to 64 rows a site, so that writers do not wait for one row
  active INT8 NOT NULL,
  PRIMARY KEY (site_id, shard)
)
