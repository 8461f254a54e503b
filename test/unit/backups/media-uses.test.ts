import { expect, test } from '@jest/globals';
import type { Line } from '../../../services/features/backups/lines.ts';
import { withMediaUses } from '../../../services/features/backups/media-uses.ts';

const first = '10000000-0000-4000-8000-000000000001';
const second = '10000000-0000-4000-8000-000000000002';
const unknown = '10000000-0000-4000-8000-000000000003';
const item: Line = [
  'content',
  {
    id: 'item',
    site_id: 'site',
    body_html: `<img src="media:${first}"><img src="media:${unknown}">`,
    body_hash: null,
    featured_media_id: second,
    fields: `{"gallery": [{"image": "media:${first}"}]}`,
  },
];
const lines: Line[] = [item, ['media', { id: first }], ['media', { id: second }]];
const use = (media_id: string, place: string): Line => [
  'content_media',
  { site_id: 'site', media_id, content_id: 'item', place },
];

test('a backup without recorded uses gets those of its items', () => {
  expect(withMediaUses(lines)).toEqual([
    ...lines,
    use(first, 'body_html'),
    use(second, 'featured_media_id'),
    use(first, 'fields'),
  ]);
});

test('accepts a backup of a version without fields', () => {
  const old: Line = [
    'content',
    { id: 'item', site_id: 'site', body_html: '', body_hash: 'x', featured_media_id: null },
  ];
  expect(withMediaUses([old])).toEqual([old]);
});

test('recorded uses stay as they are', () => {
  const recorded = [...lines, use(first, 'body_html')];
  expect(withMediaUses(recorded)).toEqual(recorded);
});
