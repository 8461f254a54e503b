ALTER TABLE deliveries ADD COLUMN IF NOT EXISTS purged_at TIMESTAMPTZ(3) -- when retention took its body and headers
