import { contentFields } from '../../core/content-fields.ts';
import { exampleRecord as content } from '../../core/content-model.ts';

const id = '4f9c2c52-6f0e-4a5b-9d0c-6a4f6f1b2c3d';
const other = '0b7d5f0a-5b1e-4c57-8c43-2f0f9be1a111';
const at = '2026-11-21T08:30:00Z';
const sha256 = '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae';
const url = 'https://www.example.com';

const guide = {
  guide_version: 1,
  body_html: {
    allowed_elements: [{ name: 'a', attributes: ['href', 'title'], void: false }],
    global_attributes: ['class', 'id', 'lang'],
    removed_with_content: ['script', 'style'],
  },
  embeds: {
    image: { syntax: '<img src="media:{id}" alt="…">' },
    component: { syntax: '<x-component handle="…" vars=\'{…}\'></x-component>' },
  },
  content: { statuses: ['draft', 'scheduled', 'published', 'archived'] },
  shell: {
    paths: { max_path_bytes: 255, max_file_bytes: 5_000_000 },
    templates: [{ file: 'base.twig', required: true }],
    functions: [{ name: 'asset', signature: 'asset(path)' }],
  },
  limits: { json_body_bytes: 4_194_304 },
};
const siteGuide = {
  ...guide,
  site: {
    slug: 'demo',
    default_locale: 'en',
    locales: [{ locale: 'en', name: 'English', default: true, path_prefix: '/' }],
    components: [
      { handle: 'price', type: 'html', embed: '<x-component handle="price" vars=\'{"amount":12}\'></x-component>' },
    ],
    missing_templates: [],
  },
};
const site = {
  id,
  slug: 'demo',
  name: 'Demo',
  domain: 'www.example.com',
  aliases: ['example.com'],
  domain_proof: {
    name: '_fieldstone.www.example.com',
    value: `fieldstone-site=${id}`,
    proven_at: at,
    aliases: [{ name: '_fieldstone.example.com', proven_at: null }],
  },
  default_locale: 'en',
  locales: ['en', 'de'],
  settings: { accent: 'rust' },
  url: `${url}/`,
  live_release: other,
  created_at: at,
  updated_at: at,
};
const media = {
  id,
  kind: 'image',
  filename: 'cairn.jpg',
  mime_type: 'image/jpeg',
  bytes: 482133,
  width: 2400,
  height: 1600,
  duration: null,
  alt: 'A cairn on a ridge',
  decorative: false,
  focal_point: { x: 0.5, y: 0.3 },
  status: 'ready',
  url: `${url}/media/cairn.jpg`,
  variants: [{ format: 'webp', width: 800, height: 533, bytes: 41230, url: `${url}/media/cairn-800.webp` }],
  source_url: null,
  sha256,
  created_at: at,
  trashed_at: null,
};
const file = { path: 'style.css', bytes: 1024, sha256, content_type: 'text/css; charset=utf-8', updated_at: at };
const component = {
  handle: 'price',
  type: 'html',
  css: '.price { font-weight: bold }',
  variables_schema: { amount: { type: 'number' } },
  sha256,
  updated_at: at,
};
const webhook = {
  id,
  slug: 'news-feed',
  name: 'News feed',
  mapper: 'autoseo',
  enabled: true,
  url: `${url}/webhooks/news-feed`,
  created_at: at,
};
const endpoint = {
  id,
  url: 'https://hooks.example.org/fieldstone',
  events: ['content.published', 'site.published'],
  enabled: true,
  failing_since: null,
  disabled_at: null,
  disabled_reason: null,
  created_at: at,
};
const endpointSecret = 'whsec_c2hvd24gb25jZSBhbmQgYnkgdGhlIENMSSAgIA==';
const event = {
  id: other,
  endpoint: id,
  type: 'site.published',
  status: 'delivered',
  attempts: 1,
  next_attempt_at: null,
  created_at: at,
  finished_at: at,
  payload: {
    type: 'site.published',
    timestamp: at,
    data: { site: { id, slug: 'demo' }, release: other, url: 'https://www.example.com', pages: 214, changed: 3 },
  },
  error: null,
  log: [{ at, duration_ms: 84, status: 204, error: null }],
};
const delivery = {
  id,
  delivery_id: 'evt_2041',
  status: 'succeeded',
  attempts: 1,
  next_attempt_at: null,
  received_at: at,
  finished_at: at,
  headers: { 'content-type': 'application/json' },
  body: '{"id":"1042","title":"What a cairn is for","body_html":"<p>…</p>"}',
  body_encoding: 'utf8',
  body_bytes: 66,
  result: { content_id: other, release: id, url: content['url'] },
  error: null,
  timeline: [{ at, elapsed_ms: 0, event: 'received' }],
};
const createContent = { title: content['title'], body_html: content['body_html'], status: 'draft', tags: ['paths'] };

/** One example for each named schema, as a client would send or receive it. */
export const examples: Readonly<Record<string, unknown>> = {
  Site: site,
  Deleted: { id, deleted: true },
  Language: { locale: 'de', name: 'German', default: false },
  Content: content,
  TrashedContent: { ...content, trashed_at: contentFields.trashed_at.example },
  BatchResults: {
    results: [
      { status: 201, data: content },
      {
        status: 422,
        error: {
          code: 'validation_failed',
          message: 'title: is required',
          details: [{ path: 'title', message: 'is required' }],
        },
      },
    ],
  },
  Media: media,
  ShellFile: file,
  WrittenShellFile: { ...file, warnings: [], job: other },
  WrittenTheme: {
    mode: 'replace',
    files: 22,
    added: 2,
    changed: 3,
    removed: 1,
    snapshot: id,
    job: other,
    warnings: [],
  },
  ShellDifference: {
    path: 'style.css',
    change: 'changed',
    before: { bytes: 12, sha256: file.sha256 },
    after: { bytes: 13, sha256: file.sha256 },
    diff: '--- a/style.css\n+++ b/style.css\n@@ -1,1 +1,1 @@\n-a{color:red}\n+a{color:blue}\n',
    diff_omitted: null,
  },
  ShellSnapshot: { rev: other, files: 22, created_at: at },
  ShellRestore: { restored: id, snapshot: other, job: '7d1f7f30-93a4-4b8e-8f2a-3e1d7e0c5a77' },
  Component: component,
  Redirect: { id, from: '/old/', to: '/new/', status: 301, created_at: at },
  Script: {
    id,
    name: 'Counter',
    position: 'head',
    src: 'https://stats.example.com/count.js',
    code: null,
    created_at: at,
  },
  QueuedJob: { job: other },
  Job: {
    uuid: other,
    site: 'demo',
    kind: 'publish',
    status: 'succeeded',
    progress: { stage: 'done', done: 214, total: 214 },
    created_at: at,
    started_at: at,
    finished_at: at,
    error: null,
    result: { release: id, pages: 214, changed: 3, bytes: 1812044, url: `${url}/` },
  },
  Webhook: webhook,
  FactCheck: {
    content_id: id,
    checked_at: at,
    claims: [{ text: 'The path is 12 km long.', kind: 'number', verdict: 'unverifiable', evidence: [] }],
    links: [{ url: 'https://example.org/map', ok: true, status: 200 }],
    summary: { claims: 1, supported: 0 },
  },
  ComponentWithSource: { ...component, source_code: '<span class="price">{{ amount }}</span>' },
  WrittenComponent: { ...component, warnings: [] },
  Release: { id, live: true, pages: 214, changed: 3, bytes: 1812044, created_at: at },
  AuthoringGuide: guide,
  SiteAuthoringGuide: siteGuide,
  ShellPreview: { url: 'https://edge.example.com/previews/abc/', job: other, expires_at: at },
  WebhookWithSecret: { ...webhook, secret: 'whsec_shown_once' },
  RotatedWebhook: { ...webhook, secret: 'whsec_shown_once', previous_valid_until: at },
  Delivery: delivery,
  EventEndpoint: endpoint,
  EventEndpointWithSecret: { ...endpoint, secret: endpointSecret },
  RotatedEventEndpoint: { ...endpoint, secret: endpointSecret, previous_valid_until: at },
  Event: event,
  CreateSiteBody: {
    name: 'Demo',
    slug: 'demo',
    domain: 'www.example.com',
    aliases: ['example.com'],
    default_locale: 'en',
  },
  UpdateSiteBody: { settings: { accent: 'rust' } },
  AddLanguageBody: { locale: 'de' },
  CreateContentBody: createContent,
  UpdateContentBody: { status: 'scheduled', scheduled_at: '2026-12-01T06:00:00Z' },
  CreateContentBatchBody: { items: [createContent, { title: 'Bench notes', type: 'page' }] },
  PutContentByRefBody: createContent,
  UploadMediaBody: { url: 'https://images.example.com/cairn.jpg', alt: 'A cairn on a ridge' },
  UpdateMediaBody: { alt: 'A cairn on a ridge' },
  PutComponentBody: {
    type: 'html',
    source_code: '<span class="price">{{ amount }}</span>',
    variables_schema: { amount: { type: 'number' } },
  },
  CreateRedirectBody: { from: '/old/', to: '/new/', status: 301 },
  UpdateRedirectBody: { to: '/newer/' },
  CreateScriptBody: { name: 'Counter', position: 'head', src: 'https://stats.example.com/count.js' },
  UpdateScriptBody: { position: 'body_end' },
  CreateWebhookBody: { mapper: 'autoseo', name: 'News feed' },
  UpdateWebhookBody: { enabled: false },
  CreateEventEndpointBody: { url: endpoint.url, events: endpoint.events },
  UpdateEventEndpointBody: { enabled: true },
};
