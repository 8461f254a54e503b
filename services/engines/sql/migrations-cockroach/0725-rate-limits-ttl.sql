ALTER TABLE rate_limits SET (ttl_expiration_expression = '((TIMESTAMP ''1970-01-01'' + expire * INTERVAL ''1 millisecond'') AT TIME ZONE ''UTC'')', ttl_job_cron = '*/15 * * * *')
