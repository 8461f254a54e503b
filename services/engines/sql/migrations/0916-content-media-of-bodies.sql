-- bodies in the object store follow with their next change
INSERT INTO content_media (site_id, media_id, content_id, place)
SELECT DISTINCT c.site_id, m.id, c.id, 'body_html'
FROM content c CROSS JOIN LATERAL unnest(string_to_array(c.body_html, 'media:')) AS p (part)
JOIN media m ON m.site_id = c.site_id AND m.id::TEXT = lower(substr(p.part, 1, 36))
WHERE c.body_html LIKE '%media:%' ON CONFLICT (site_id, media_id, content_id, place) DO NOTHING
