import type { DemoItem } from './items.ts';

const shared = { type: 'page', locale: 'en' } as const;

/** The pages of the demo site in its default locale. */
export const demoPages: DemoItem[] = [
  {
    ...shared,
    source_ref: 'demo/about',
    slug: 'about',
    title: 'About',
    excerpt: 'Three people, one workshop, and a great many posts.',
    published_at: '2026-07-01T08:00:00Z',
    seo_title: 'About Cairn & Post',
    seo_description: 'Who makes Cairn & Post, the journal of a workshop for footpath signs, and why.',
    body: 'about.html',
  },
  {
    ...shared,
    source_ref: 'demo/workshop',
    slug: 'workshop',
    title: 'Workshop',
    excerpt: 'What we make, what it costs, and when the door is open.',
    published_at: '2026-07-01T08:05:00Z',
    seo_description: 'Commission a fingerpost, a gate plate or a set of waymarks from the Cairn & Post workshop.',
    body: 'workshop.html',
  },
  {
    ...shared,
    source_ref: 'demo/colophon',
    slug: 'colophon',
    title: 'Colophon',
    excerpt: 'How this journal is made.',
    published_at: '2026-07-01T08:10:00Z',
    seo_description: 'Type, tools and terms of use of the Cairn & Post journal.',
    body: 'colophon.html',
  },
];
