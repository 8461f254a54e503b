UPDATE installation SET changes_from = now() + INTERVAL '1 hour'
WHERE changes_from IS NULL AND EXISTS (SELECT 1 FROM content)
