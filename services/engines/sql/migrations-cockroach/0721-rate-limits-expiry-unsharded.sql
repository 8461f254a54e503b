DROP INDEX IF EXISTS rate_limits_expire_idx
