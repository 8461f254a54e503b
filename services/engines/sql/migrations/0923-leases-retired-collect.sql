-- earlier versions collect under this name, and would delete what only chunks refer to
INSERT INTO leases (name, holder, expires_at, due_at) VALUES ('collect', gen_random_uuid(), now(), '9999-12-31')
ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at, due_at = excluded.due_at
