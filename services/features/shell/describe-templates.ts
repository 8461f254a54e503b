import { pageNames } from '../../core/content-model.ts';

/** A name that templates can use, for the authoring guide. */
export interface TemplateName {
  name: string;
  where?: string;
  signature?: string;
  answers: string;
  members?: readonly string[];
  options?: Readonly<Record<string, string>>;
}

/** Templates that every build needs (contract: Shell contract). */
export const requiredTemplates = ['home.twig', 'page.twig', 'archive.twig', '404.twig'] as const;

const templates = [
  { file: 'base.twig', renders: 'the layout that the others extend; it must contain </body>', address: null },
  { file: 'home.twig', renders: 'the home page', address: '/' },
  { file: 'page.twig', renders: 'a page, and items of types without their own template', address: '/{slug}/' },
  { file: 'post.twig', renders: 'a post; if it is missing, page.twig is used', address: '/posts/{slug}/' },
  {
    file: '{type}.twig',
    renders: 'an item of another type; if it is missing, page.twig is used',
    address: '/{type}/{slug}/',
  },
  { file: 'archive.twig', renders: 'the paginated list of posts', address: '/posts/, /posts/page/2/' },
  { file: '404.twig', renders: 'the page for URLs that do not exist', address: null },
  { file: 'translations.json', renders: "the shell's own strings by locale, for t()", address: null },
] as const;

const itemMembers = [
  ...pageNames.filter((name) => name !== 'revision' && name !== 'html_fields'),
  ...['path', 'url', 'canonical', 'body', 'body_html', 'translations'],
];

const variables: readonly TemplateName[] = [
  {
    name: 'site',
    where: 'every template',
    answers: 'the site; `locale` is the locale of the rendered page',
    members: ['name', 'url', 'locale', 'default_locale', 'locales', 'settings'],
  },
  {
    name: 'page',
    where: 'page.twig, post.twig, {type}.twig',
    answers:
      'the item: `body` is safe HTML with images and components rendered; `translations` is a list of {locale, url, title}',
    members: itemMembers,
  },
  {
    name: 'page',
    where: 'home.twig, archive.twig, 404.twig',
    answers: 'the URL of the page; null on the 404 page, which is served at any URL',
    members: ['canonical', 'url', 'translations'],
  },
  {
    name: 'pagination',
    where: 'archive.twig',
    answers: 'the page of the archive; prev_url and next_url are null if there is no such page',
    members: ['items', 'page', 'total_pages', 'total', 'per_page', 'prev_url', 'next_url'],
  },
];

const functions: readonly TemplateName[] = [
  {
    name: 'posts',
    signature: 'posts({limit, tag, locale, offset})',
    answers: 'published posts, newest first',
    options: {
      limit: 'at most this many, up to 1000',
      offset: 'skip this many first',
      tag: 'only posts with this tag',
      locale: "another locale than the page's",
    },
  },
  {
    name: 'pages',
    signature: 'pages({locale})',
    answers: "published pages in the page's locale",
    options: { locale: "another locale than the page's" },
  },
  {
    name: 'asset',
    signature: "asset('style.css')",
    answers: 'the link to a file of the shell, with its hash in the name; a missing file fails the build',
  },
  {
    name: 'media',
    signature: 'media(id, {sizes, alt, lazy})',
    answers:
      '{id, kind, url, absolute_url, width, height, alt, focal_point {x, y}, placeholder, picture} of an item of the media library, or null; the URLs are null while its variants are being made',
    options: {
      sizes: 'the display size of the picture, as in the sizes attribute',
      alt: 'an alternative text to use instead',
      lazy: 'false: load it immediately',
    },
  },
  {
    name: 'component',
    signature: "component('handle', {vars})",
    answers: 'the rendered component of the site as safe HTML',
  },
  {
    name: 'url',
    signature: 'url(item) or url(path)',
    answers:
      "the relative link to an item, a translation or a path of the site such as '/posts/', in the page's locale",
  },
  {
    name: 't',
    signature: "t('Text')",
    answers:
      'the text from translations.json in the locale of the page, otherwise in its language, otherwise the text itself',
  },
];

/** Describes what a page offers to templates (contract: Shell contract), for the authoring guide. */
export function describeTemplates() {
  return {
    templates: templates.map((template) => ({
      ...template,
      required: (requiredTemplates as readonly string[]).includes(template.file),
    })),
    variables,
    functions,
    notes: [
      'Output is escaped unless it is marked safe; values that are HTML (page.body, picture, components) are marked.',
      'A variable or a member that does not exist is empty.',
      'Links made by url() and asset() are relative and work on the domain, under /sites/{slug}/ and in previews.',
      "A script in a template runs if it contains no Twig: its hash is in the pages' Content-Security-Policy. Scripts that contain Twig, handlers such as onclick and javascript: URLs never run; pass data in attributes.",
      'The service generates feed.xml, sitemap.xml and robots.txt.',
      'A page is rendered again only when something that it read has changed.',
    ],
  };
}
