-- fields with one value; those within lists and objects follow with their next change
INSERT INTO content_media (site_id, media_id, content_id, place)
SELECT DISTINCT v.site_id, m.id, v.content_id, 'fields'
FROM content_field_values v
JOIN media m ON m.site_id = v.site_id AND m.id::TEXT = lower(right(v.value, 36)) ON CONFLICT (site_id, media_id, content_id, place) DO NOTHING
