CREATE TABLE IF NOT EXISTS content_media (
  site_id UUID NOT NULL,
  media_id UUID NOT NULL,
  content_id UUID NOT NULL REFERENCES content (id) ON DELETE CASCADE,
  place TEXT NOT NULL, -- the member of the item that names the media item: body_html, featured_media_id, fields
  PRIMARY KEY (site_id, media_id, content_id, place)
)
