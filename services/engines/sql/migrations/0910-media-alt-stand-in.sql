ALTER TABLE media ADD COLUMN IF NOT EXISTS alt_stand_in BOOLEAN NOT NULL DEFAULT false -- nobody wrote the alt text: it is the title of the article that the image came with
