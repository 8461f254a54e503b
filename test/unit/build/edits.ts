import type { ItemInput } from '../../../services/build/model.ts';
import { makeInputs, makeItem, makeMedia, type Snapshot } from './snapshot.ts';

const layout = `<html><head><title>{{ site.name }}</title></head><body>
{% for item in pages() %}<a href="{{ url(item) }}">{{ item.title }}</a>{% endfor %}
{% block content %}{% endblock %}{{ t('Foot') }}</body></html>`;
const extend = (content: string) => `{% extends 'base.twig' %}{% block content %}${content}{% endblock %}`;
const templates = {
  'base.twig': layout,
  'home.twig': extend(`{% for p in posts({limit: 3}) %}{{ p.title }} {{ url(p) }} {{ p.updated_at }}{% endfor %}`),
  'page.twig': extend(
    `{{ page.title }} {{ page.body }} {% for x in page.translations %}{{ x.locale }} {{ x.url }}{% endfor %}`,
  ),
  'post.twig':
    extend(`{{ page.title }} {{ page.body }} {% for p in posts({tag: page.tags|first, limit: 2}) %}{{ p.title }}{% endfor %}
    {% if page.featured_media_id %}{% set m = media(page.featured_media_id) %}{{ m.alt }}{{ m.picture }}{% endif %}`),
  'archive.twig':
    extend(`{{ pagination.page }}/{{ pagination.total_pages }} {{ pagination.prev_url }} {{ pagination.next_url }}
    {% for p in pagination.items %}{{ p.title }}{{ p.excerpt }}{% endfor %}`),
  '404.twig': extend(`nothing here {{ url('/') }}`),
};

const picture = makeMedia();

/** Returns a site with posts, pages, two languages and a picture; tests change it. */
export function startingPoint(): Snapshot {
  const posts = Array.from({ length: 12 }, (_, n) =>
    makeItem({ tags: [`tag${n % 3}`], ...(n === 4 ? { featured_media_id: picture.id } : {}) }),
  );
  const pages = [makeItem({ type: 'page' }), makeItem({ type: 'page', locale: 'fr' })];
  pages[1]!.translation_of = pages[0]!.id;
  const items = [...posts, ...pages];
  const inputs = makeInputs({ items, media: [picture] });
  inputs.site.locales = [{ locale: 'en' }, { locale: 'fr' }];
  inputs.site.settings = { posts_per_page: 3 };
  return { inputs, templates, bodies: Object.fromEntries(items.map(({ id, title }) => [id, `<p>${title}</p>`])) };
}

export type Change = (snapshot: Snapshot, n: number) => void;

function changeItem(snapshot: Snapshot, n: number, change: (item: ItemInput) => Partial<ItemInput>): void {
  const { items } = snapshot.inputs;
  const at = n % items.length;
  const item = items[at]!;
  items[at] = { ...item, revision: item.revision + 1, updated_at: `2026-02-01T00:00:0${n % 10}Z`, ...change(item) };
}

/** Changes of a site by name; `n` selects what they change and to what. */
export const changes: Record<string, Change> = {
  title: (snapshot, n) => changeItem(snapshot, n, (item) => ({ title: `${item.title}!` })),
  body: (snapshot, n) => {
    changeItem(snapshot, n, () => ({}));
    snapshot.bodies[snapshot.inputs.items[n % snapshot.inputs.items.length]!.id] = `<p>new ${n}</p>`;
  },
  slug: (snapshot, n) => changeItem(snapshot, n, (item) => ({ slug: `${item.slug}-${n}` })),
  tags: (snapshot, n) => changeItem(snapshot, n, () => ({ tags: [`tag${n % 4}`] })),
  order: (snapshot, n) => changeItem(snapshot, n, () => ({ order: [n, n] })),
  addition: (snapshot) => {
    const item = makeItem({ tags: ['tag1'] });
    snapshot.inputs.items.push(item);
    snapshot.bodies[item.id] = '<p>added</p>';
  },
  // a type that is named like a language: its item has the path of a page in that language
  collision: (snapshot, n) => {
    const { items } = snapshot.inputs;
    const page = items.find(({ type, locale }) => type === 'page' && locale === 'fr');
    if (!page) return;
    const item = makeItem({ type: 'fr', slug: page.slug, order: [n % 2 === 0 ? 0 : 2 ** 45, n] });
    items.push(item);
    snapshot.bodies[item.id] = '<p>collides</p>';
  },
  removal: (snapshot, n) => {
    if (snapshot.inputs.items.length > 1) snapshot.inputs.items.splice(n % snapshot.inputs.items.length, 1);
  },
  template: (snapshot, n) => {
    const name = Object.keys(templates)[n % 6]!;
    snapshot.templates = {
      ...snapshot.templates,
      [name]: snapshot.templates[name]!.replace('{% block content %}', `{% block content %}<i>${n}</i>`),
    };
  },
  text: (snapshot, n) => {
    snapshot.translations = { en: { Foot: `foot ${n}` } };
  },
  picture: (snapshot, n) => {
    snapshot.inputs.media = [{ ...picture, revision: n + 2, alt: `alt ${n}` }];
  },
  settings: (snapshot, n) => {
    snapshot.inputs.site.settings = { posts_per_page: 2 + (n % 3) };
  },
  name: (snapshot, n) => {
    snapshot.inputs.site.name = `Demo ${n}`;
  },
  locales: (snapshot, n) => {
    const all = [['en'], ['en', 'fr'], ['en', 'de'], ['en', 'fr', 'de']];
    snapshot.inputs.site.locales = all[n % all.length]!.map((locale) => ({ locale }));
  },
  language: (snapshot, n) => changeItem(snapshot, n, () => ({ locale: n % 2 ? 'fr' : 'en' })),
  translation: (snapshot, n) =>
    changeItem(snapshot, n, () => ({ locale: 'fr', translation_of: snapshot.inputs.items[0]!.id })),
};
