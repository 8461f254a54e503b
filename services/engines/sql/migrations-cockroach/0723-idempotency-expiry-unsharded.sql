DROP INDEX IF EXISTS idempotency_expiry_idx
