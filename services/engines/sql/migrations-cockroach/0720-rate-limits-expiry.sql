CREATE INDEX IF NOT EXISTS rate_limits_expire_hash_idx ON rate_limits (expire) USING HASH
