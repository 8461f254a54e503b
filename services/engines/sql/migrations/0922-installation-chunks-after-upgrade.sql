UPDATE installation SET chunks_from = now() + INTERVAL '1 hour'
WHERE chunks_from IS NULL AND EXISTS (SELECT 1 FROM releases)
