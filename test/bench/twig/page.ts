/** The data of the benchmark's post page, as plain data, and the shell's functions over it. */

const titles = [
  'On moss',
  'A walk & a "lamp"',
  'Rain <again>',
  "The miller's wheel",
  'Notes from the north',
  'Small stones',
];

const posts = titles.map((title, index) => ({
  id: `post-${index}`,
  type: 'post',
  title,
  slug: `post-${index}`,
  locale: 'en',
  url: `https://example.org/posts/post-${index}/`,
  excerpt: `What ${title} is about, in a sentence or two that a list can show.`,
  author: index % 2 === 0 ? "Ann O'Neil" : null,
  published_at: `2026-0${index + 1}-1${index}T08:30:00.000Z`,
  tags: ['nature', 'walks'],
  featured_media_id: null,
}));

export const bodyHtml = '<p>It rained, and the moss drank it. <em>Nobody</em> minded.</p>\n'.repeat(40);

/** The context of a post page; each engine marks `body` as safe in its own way. */
export const pageData = {
  site: {
    name: 'Moss & Stone',
    url: 'https://example.org',
    locale: 'en',
    default_locale: 'en',
    locales: ['en', 'de'],
    settings: { tagline: 'Slow news from wet places', accent: 'lichen' },
  },
  page: {
    ...posts[1],
    canonical: posts[1]?.url,
    seo_title: null,
    seo_description: null,
    translations: [
      { locale: 'en', url: 'https://example.org/posts/post-1/', title: 'A walk' },
      { locale: 'de', url: 'https://example.org/de/posts/post-1/', title: 'Ein Gang' },
    ],
  },
};

/** The functions that the shell calls. */
export const shellFunctions: Record<string, (...args: unknown[]) => unknown> = {
  posts: () => posts.slice(0, 4),
  pages: () => [
    { id: 'about', title: 'About', url: '/about/' },
    { id: 'contact', title: 'Contact & more', url: '/contact/' },
  ],
  asset: (path) => `/assets/${String(path)}?v=0123456789abcdef`,
  media: () => null,
  component: () => '',
  url: (item) => (typeof item === 'string' ? item : String((item as { url: string }).url)),
  t: (text) => text,
};
