CREATE INDEX IF NOT EXISTS rate_limits_expire_idx ON rate_limits (expire)
