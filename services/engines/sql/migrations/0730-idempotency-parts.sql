CREATE TABLE IF NOT EXISTS idempotency_parts (
  api_key_id TEXT NOT NULL,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  part INT8 NOT NULL,
  sealed BYTEA NOT NULL, -- some 192 KiB of a stored reply, encrypted
  PRIMARY KEY (api_key_id, method, path, idempotency_key, part),
  FOREIGN KEY (api_key_id, method, path, idempotency_key)
    REFERENCES idempotency_keys (api_key_id, method, path, idempotency_key) ON DELETE CASCADE
)
