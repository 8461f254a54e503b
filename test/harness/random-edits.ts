import { type ApiReply, makeSite, type TestSite } from './api.ts';
import { jpeg, upload, waitForFormat } from './media.ts';

/** A site under random edits. */
export interface EditedSite {
  site: TestSite;
  /** Ids of items that are not deleted. */
  items: string[];
  picture: string;
  /** Paths on the edge of every URL that an item has had. */
  paths: Set<string>;
}

const newest = '<p>{% for p in posts({limit: 2}) %}{{ p.title }} {% endfor %}</p>';

/** Creates a site with posts, pages, two languages and a picture. */
export async function makeEditedSite(): Promise<EditedSite> {
  const site = await makeSite({ settings: { posts_per_page: 3 } });
  await site.request('POST', '/languages', { locale: 'fr' });
  const { data: media } = await upload(site, await jpeg(900, 600));
  await waitForFormat(site, media.id, 'avif');
  const world: EditedSite = { site, items: [], picture: media.id, paths: new Set([`/sites/${site.slug}/`]) };
  for (let n = 0; n < 9; n++) await applyEdit(world, ['post', n]);
  await applyEdit(world, ['page', 1]);
  return world;
}

type Body = Record<string, unknown>;
const pick = <T>(list: readonly T[], n: number): T => list[n % list.length]!;
const patch =
  (change: (n: number, world: EditedSite) => Body) =>
  (world: EditedSite, n: number): Promise<ApiReply> =>
    world.site.request('PATCH', `/content/${pick(world.items, n)}`, change(n, world));

async function create(world: EditedSite, body: Body): Promise<ApiReply> {
  const reply = await world.site.request('POST', '/content', { status: 'published', ...body });
  if (reply.status === 201) world.items.push(reply.data.id);
  return reply;
}

/** Puts a mark into a template of the shell, so that all its pages change. */
async function editTemplate({ site }: EditedSite, n: number): Promise<ApiReply> {
  const path = `/shell/file/${pick(['post.twig', 'page.twig', 'home.twig', 'archive.twig'], n)}`;
  const { text } = await site.request('GET', path);
  const mark = `<!-- ${n} -->${n % 2 ? newest : ''}<!-- end -->`;
  const raw = text.replace(/({% block content %})(<!-- \d+ -->.*<!-- end -->)?/s, (_all, start) => start + mark);
  return site.request('PUT', path, undefined, { raw });
}

/** Edits by name; the number selects the record and its new value. */
export const edits: Record<string, (world: EditedSite, n: number) => Promise<ApiReply>> = {
  post: (world, n) =>
    create(world, { title: `Post ${n}`, body_html: `<h2>Part</h2><p>Body ${n}</p>`, tags: [`tag${n % 3}`] }),
  page: (world, n) => create(world, { type: 'page', title: `Page ${n}`, body_html: `<p>Page ${n}</p>` }),
  translation: (world, n) =>
    create(world, {
      title: `Article ${n}`,
      body_html: '<p>fr</p>',
      locale: 'fr',
      translation_of: pick(world.items, n),
    }),
  title: patch((n) => ({ title: `Title ${n}` })),
  body: patch((n) => ({ body_html: `<p>Changed ${n}</p><ul><li>${n}</li></ul>` })),
  excerpt: patch((n) => ({ excerpt: `Excerpt ${n}` })),
  slug: patch((n) => ({ slug: `slug-${n}` })),
  tags: patch((n) => ({ tags: [`tag${n % 4}`, `tag${n % 3}`] })),
  picture: patch((n, { picture }) => ({ featured_media_id: n % 3 ? picture : null })),
  canonical: patch((n) => ({ canonical_url: n % 2 ? `https://example.com/${n}` : null })),
  draft: patch(() => ({ status: 'draft' })),
  published: patch(() => ({ status: 'published' })),
  archived: patch(() => ({ status: 'archived' })),
  async deleted(world, n) {
    const id = pick(world.items, n);
    const reply = await world.site.request('DELETE', `/content/${id}`);
    if (world.items.length > 3) world.items = world.items.filter((other) => other !== id);
    else await world.site.request('POST', `/content/${id}/restore`);
    return reply;
  },
  alt: ({ site, picture }, n) => site.request('PATCH', `/media/${picture}`, { alt: `A circle ${n}` }),
  siteName: ({ site }, n) => site.request('PATCH', '', { name: `Site ${site.slug} ${n}` }),
  settings: ({ site }, n) => site.request('PATCH', '', { settings: { posts_per_page: 2 + (n % 4) } }),
  redirect: ({ site }, n) => site.request('POST', '/redirects', { from: `/from-${n}/`, to: '/' }),
  template: editTemplate,
  styleSheet: ({ site }, n) =>
    site.request('PUT', '/shell/file/css/random.css', undefined, { raw: `b { top: ${n}px }` }),
};

/** Applies one edit, and remembers where the items are now. Returns the response's status. */
export async function applyEdit(world: EditedSite, [name, n]: readonly [string, number]): Promise<number> {
  const { status, data } = await edits[name]!(world, n);
  if (name === 'redirect') world.paths.add(`/sites/${world.site.slug}/from-${n}/`);
  else if (typeof data?.url === 'string') world.paths.add(new URL(data.url).pathname);
  return status;
}
