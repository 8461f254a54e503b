ALTER TABLE releases ADD COLUMN IF NOT EXISTS awaited_media UUID[] -- items that it shows without variants, since they were being made
