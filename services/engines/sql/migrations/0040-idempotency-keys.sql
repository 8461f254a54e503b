CREATE TABLE IF NOT EXISTS idempotency_keys (
  api_key_id TEXT NOT NULL,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  holder UUID NOT NULL,
  locked_until TIMESTAMPTZ(3) NOT NULL, -- a crashed holder's lock expires
  status INT8, -- null while the request runs
  reply TEXT, -- encrypted; null when reply_hash names the object
  reply_hash TEXT,
  expires_at TIMESTAMPTZ(3) NOT NULL,
  PRIMARY KEY (api_key_id, method, path, idempotency_key)
)
