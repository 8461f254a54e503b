import type { MapperName } from '../../../features/integrations/mapper-names.ts';

/** The body of a test for each mapper (docs/webhooks.md, Mappers). Articles are drafts, so that visitors see nothing of them. */
const samples: Record<MapperName, object> = {
  autoseo: { id: 'test', title: 'A test', body_html: '<p>Sent from the dashboard.</p>', status: 'draft' },
  create_post: { source_ref: 'test', title: 'A test', body_html: '<p>Sent from the dashboard.</p>', status: 'draft' },
  create_page: { source_ref: 'test', title: 'A test', body_html: '<p>Sent from the dashboard.</p>', status: 'draft' },
  import_media: { url: 'https://example.com/image.jpg', alt: 'What the image shows' },
  upsert_component: { handle: 'test', type: 'html', source_code: '<p>Sent from the dashboard.</p>' },
};

/** Returns the text of a test's body. */
export const sampleBody = (mapper: MapperName): string => JSON.stringify(samples[mapper], null, 2);
