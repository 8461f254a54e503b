ALTER TABLE idempotency_keys SET (ttl_expiration_expression = 'expires_at', ttl_job_cron = '*/15 * * * *')
