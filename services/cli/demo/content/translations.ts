import type { DemoItem } from './items.ts';

/** Translations of single items; each is sent only to a site that has its locale. */
export const demoTranslations: DemoItem[] = [
  {
    type: 'post',
    locale: 'de',
    source_ref: 'demo/de/what-a-cairn-is-for',
    translates: 'demo/what-a-cairn-is-for',
    slug: 'wozu-ein-steinmann',
    title: 'Wozu ein Steinmann gut ist',
    excerpt: 'Das Wenigste, was man mit Steinen sagen kann, wie man es gut sagt, und wann man besser schweigt.',
    author: 'Anselm Roe',
    tags: ['Stein', 'Wege'],
    published_at: '2026-10-15T08:00:00Z',
    seo_description:
      'Wie Steinmänner im Nebel führen, wie man einen baut, der steht, und warum man die meisten lassen sollte.',
    body: 'wozu-ein-steinmann.html',
  },
  {
    type: 'page',
    locale: 'de',
    source_ref: 'demo/de/about',
    translates: 'demo/about',
    slug: 'ueber-uns',
    title: 'Über uns',
    excerpt: 'Drei Leute, eine Werkstatt und sehr viele Pfosten.',
    published_at: '2026-07-01T08:00:00Z',
    seo_title: 'Über Cairn & Post',
    seo_description: 'Wer Cairn & Post macht, das Journal einer Werkstatt für Wegzeichen, und warum.',
    body: 'ueber-uns.html',
  },
];
