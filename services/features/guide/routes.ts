import { z } from 'zod';
import { ok } from '../../core/reply.ts';
import { type AppRoute, route } from '../route.ts';
import { describeService } from './guide.ts';
import { describeSite } from './site-guide.ts';

const tag = 'Authoring guide';

const guideExample = {
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

const guideRecord = z
  .looseObject({
    guide_version: z.int(),
    body_html: z.looseObject({
      allowed_elements: z.array(z.object({ name: z.string(), attributes: z.array(z.string()), void: z.boolean() })),
      global_attributes: z.array(z.string()),
      removed_with_content: z.array(z.string()),
    }),
    embeds: z.looseObject({
      image: z.looseObject({ syntax: z.string() }),
      component: z.looseObject({ syntax: z.string() }),
    }),
    content: z.looseObject({ statuses: z.array(z.string()) }),
    shell: z.looseObject({
      paths: z.looseObject({ max_path_bytes: z.int(), max_file_bytes: z.int() }),
      templates: z.array(z.looseObject({ file: z.string(), required: z.boolean() })),
      functions: z.array(z.looseObject({ name: z.string(), signature: z.string() })),
    }),
    limits: z.record(z.string(), z.int()),
  })
  .meta({ id: 'AuthoringGuide', example: guideExample });

const siteGuideExample = {
  ...guideExample,
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

const siteGuideRecord = guideRecord
  .extend({
    site: z.looseObject({
      slug: z.string(),
      default_locale: z.string(),
      locales: z.array(
        z.object({ locale: z.string(), name: z.string(), default: z.boolean(), path_prefix: z.string() }),
      ),
      components: z.array(z.looseObject({ handle: z.string(), type: z.string(), embed: z.string() })),
      missing_templates: z.array(z.string()),
    }),
  })
  .meta({ id: 'SiteAuthoringGuide', example: siteGuideExample });

export const guideRoutes: AppRoute[] = [
  route({
    method: 'GET',
    path: '/authoring-guide',
    operationId: 'getAuthoringGuide',
    scope: 'sites:read',
    tag,
    summary: 'The rules for body HTML, embeds and shells, for machines',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: guideRecord },
    handler: async ({ app }) => ok(describeService(app.config)),
  }),
  route({
    method: 'GET',
    path: '/sites/:site/authoring-guide',
    operationId: 'getSiteAuthoringGuide',
    scope: 'sites:read',
    tag,
    summary: "The same with the site's locales, components and embed syntax",
    body: { kind: 'ignored' },
    reply: { status: 200, schema: siteGuideRecord },
    handler: async ({ app, db, site }) => ok(await describeSite({ db, config: app.config }, site)),
  }),
];
