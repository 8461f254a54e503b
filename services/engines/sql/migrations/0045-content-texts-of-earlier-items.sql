-- until their next change, items of before are searched in their HTML
INSERT INTO content_texts (site_id, content_id, body)
SELECT site_id, id, body_html FROM content WHERE body_hash IS NULL ON CONFLICT (site_id, content_id) DO NOTHING
