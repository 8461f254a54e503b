ALTER TABLE deliveries ADD COLUMN IF NOT EXISTS interruptions INT8 NOT NULL DEFAULT 0 -- runs that died while they processed it
