INSERT INTO site_hosts (host, site_id) SELECT s.domain, s.id FROM sites s WHERE s.domain IS NOT NULL ON CONFLICT (host) DO NOTHING
