import { z } from 'zod';
import type { Config } from '../../core/config.ts';
import { statuses } from '../../core/content-fields.ts';
import { maxSlugLength } from '../../core/slug.ts';
import { describeTwig } from '../../twig/index.ts';
import { createContentBody, describeBodyRules } from '../content/index.ts';
import { describeShellPaths, describeTemplates } from '../shell/index.ts';

/** Settings of a site that the service itself or the starter shell reads. */
const settings = [
  { name: 'shell_autopublish', type: 'boolean', effect: 'a shell edit goes live with the content as last published' },
  { name: 'posts_per_page', type: 'integer', effect: 'posts on a page of the archive, 1 to 100' },
  { name: 'tagline', type: 'string', effect: 'starter shell: the large line on the home page' },
  { name: 'description', type: 'string', effect: 'starter shell: the description of the home page for search engines' },
  { name: 'accent', type: 'string', effect: 'starter shell: lichen, tarn, slate, heather or rust' },
  { name: 'nav', type: 'array', effect: 'starter shell: the menu, a list of {label, url}' },
  { name: 'footer', type: 'string', effect: 'starter shell: a line at the bottom of every page' },
];

const publicPaths = [
  { what: 'home', path: '/' },
  { what: 'page', path: '/{slug}/' },
  { what: 'post', path: '/posts/{slug}/' },
  { what: 'another type', path: '/{type}/{slug}/' },
  { what: 'archive', path: '/posts/, /posts/page/{n}/' },
  { what: 'feed', path: '/feed.xml' },
  { what: 'locale other than the default one', path: '/{locale}/…' },
];

function describeContent() {
  return {
    create: z.toJSONSchema(createContentBody, { io: 'input', unrepresentable: 'any' }),
    statuses: [...statuses],
    timestamps: 'UTC, YYYY-MM-DDTHH:MM:SSZ; anything else is rejected',
    slug: {
      max_length: maxSlugLength,
      rule: 'lowercase letters, digits and single hyphens; derived from the title when absent, a given one is normalised; one in use gets -2, -3, …: read back the slug that was used',
    },
    scheduling:
      'status scheduled needs scheduled_at; the item is published automatically within 5 seconds of that time',
    publishing: 'writing stores; POST /sites/{site}/publish makes the stored site live',
  };
}

function describeImages({ mediaLimits }: Pick<Config, 'mediaLimits'>) {
  return {
    syntax: '<img src="media:{id}" alt="…">',
    steps: [
      'POST /sites/{site}/media with a file or a url; images need alt, or decorative=true',
      'put the id of the response into the body as src="media:{id}"',
    ],
    becomes:
      'a responsive <picture> with the variants of the image; an alt here replaces the stored one, and a width or a height alone determines the other',
    keeps: ['alt', 'title', 'width', 'height', 'class'],
    other_images: 'http, https and relative URLs do not change',
    max_bytes: mediaLimits.imageBytes,
    max_pixels: mediaLimits.imagePixels,
  };
}

function describeComponents() {
  return {
    syntax: '<x-component handle="{handle}" vars=\'{…}\'></x-component>',
    vars: 'JSON, checked against the variables_schema of the component; in a double-quoted attribute write &quot;',
    content: 'text between the tags is replaced',
  };
}

/** Returns the rules of the whole service, from the tables that the code itself uses (spec: authoring guide). */
export function describeService(config: Pick<Config, 'mediaLimits' | 'rateLimitIp' | 'rateLimitKey'>) {
  const { mediaLimits, rateLimitIp, rateLimitKey } = config;
  return {
    guide_version: 1,
    body_html: describeBodyRules(),
    embeds: { image: describeImages(config), component: describeComponents() },
    content: describeContent(),
    shell: { paths: describeShellPaths(), ...describeTemplates(), twig: describeTwig(), settings },
    public_paths: publicPaths,
    limits: {
      json_body_bytes: 4 * 1024 * 1024,
      shell_file_bytes: describeShellPaths().max_file_bytes,
      image_bytes: mediaLimits.imageBytes,
      image_pixels: mediaLimits.imagePixels,
      video_bytes: mediaLimits.videoBytes,
      file_bytes: mediaLimits.fileBytes,
      per_page_default: 20,
      per_page_max: 100,
      batch_items: 100,
      requests_per_minute_per_address: rateLimitIp,
      requests_per_minute_per_key: rateLimitKey,
    },
  };
}
