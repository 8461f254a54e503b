CREATE TABLE IF NOT EXISTS site_hosts (
  host TEXT PRIMARY KEY, -- a domain or an alias: in use by one site of the installation
  site_id UUID NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  proven_at TIMESTAMPTZ, -- when its TXT record was seen; it stays proven for this site
  checks INT8 NOT NULL DEFAULT 0,
  check_at TIMESTAMPTZ NOT NULL DEFAULT now()
)
