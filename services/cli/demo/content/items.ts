/** One item of the demo site: the members sent to the API, except `body_html`, which is read from the file `body`. */
export type DemoItem = {
  source_ref: string;
  type: 'post' | 'page';
  locale: string;
  slug: string;
  title: string;
  excerpt: string;
  author?: string;
  tags?: string[];
  published_at: string;
  seo_title?: string;
  seo_description: string;
  /** The `source_ref` of the item that this one translates. */
  translates?: string;
  body: string;
};

/** The demo site, as sent to `POST /sites`. */
export const demoSite = {
  name: 'Cairn & Post',
  slug: 'demo',
  default_locale: 'en',
  settings: {
    tagline: 'Notes from a workshop that makes signs for paths',
    footer: 'Written at the bench in the Arle valley by the three people who also answer the telephone.',
    accent: 'lichen',
  },
};
