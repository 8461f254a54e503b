ALTER TABLE sites ADD COLUMN IF NOT EXISTS content_epoch UUID NOT NULL DEFAULT gen_random_uuid() -- new whenever rows of content_changes are deleted, or content is written without them
