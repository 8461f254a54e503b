ALTER TABLE media ADD COLUMN IF NOT EXISTS work TEXT -- what a worker has still to do: variants, avif, video; null when all is done
