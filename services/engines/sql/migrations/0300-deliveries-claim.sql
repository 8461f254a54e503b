ALTER TABLE deliveries ADD COLUMN IF NOT EXISTS claim UUID -- the worker's run that processes it; another run's writes find another claim
