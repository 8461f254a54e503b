INSERT INTO content_media (site_id, media_id, content_id, place)
SELECT c.site_id, m.id, c.id, 'featured_media_id'
FROM content c JOIN media m ON m.id = c.featured_media_id AND m.site_id = c.site_id ON CONFLICT (site_id, media_id, content_id, place) DO NOTHING
