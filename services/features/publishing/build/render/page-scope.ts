import { markSafe, type SafeHtml } from '../../../../engines/sandbox/twig/runtime/values.ts';
import { notFoundRoot } from '../../manifest.ts';
import { localePrefix, relativePath } from '../../paths.ts';
import { ContentFault, type ItemInput } from '../model.ts';
import type { PagePlan } from '../pages.ts';
import { mainFile, type PictureOptions, renderMedia } from '../picture.ts';
import { reads } from '../reads.ts';
import { homeTranslations, type PostsQuery, type SiteIndex, type Translation } from '../site-index.ts';
import { cutBody } from './body.ts';
import type { ComponentUse } from './components.ts';

/** What pages of one snapshot are rendered from. */
export interface RenderData {
  index: SiteIndex;
  siteUrl: string;
  /** Public path of each shell asset by its path in the shell. */
  assetPaths: ReadonlyMap<string, string>;
  /** `translations.json` of the shell: text by locale. */
  translations: Record<string, Record<string, unknown>>;
  /** Bodies by item id, as far as they have been sent. */
  bodies: Map<string, string>;
  /** Null for a handle that the site does not have. Throws when the component fails, unless its place shows why. */
  renderComponent(use: ComponentUse): { html: string; failed: boolean } | null;
}

/** A page asked for a body that was not sent along; it is rendered again with it. */
export class MissingBody extends Error {
  readonly itemId: string;

  constructor(itemId: string) {
    super('a body is missing');
    this.itemId = itemId;
  }
}

/** What a page read and brought along while it was rendered. */
export interface PageLog {
  reads: Set<string>;
  warnings: Set<string>;
  /** Handles of the components that it shows. */
  components: Set<string>;
  /** Items of the lists that the page asked for. */
  listed: Set<string>;
}

/** The log of a page that has read nothing yet. */
export function createPageLog(): PageLog {
  return { reads: new Set(), warnings: new Set(), components: new Set(), listed: new Set() };
}

type HostFunction = (args: unknown[], named: Record<string, unknown>) => unknown;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const maxListLength = 1000;

function asText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  return value && typeof value === 'object' && 'html' in value ? String((value as SafeHtml).html) : null;
}

function asCount(value: unknown, fallback: number | null): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return fallback;
  return Math.min(Math.max(0, Math.trunc(number)), Number.MAX_SAFE_INTEGER);
}

function asOptions(value: unknown): Record<string, unknown> {
  return value && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/**
 * The variables and functions of one page (contract: Shell contract). Every read goes through `log`, which becomes the
 * page's trace: a template can learn nothing about the site that the trace does not know.
 */
export function createPageScope(data: RenderData, page: PagePlan, log: PageLog) {
  const { index, siteUrl } = data;
  const { site } = index.inputs;
  const { locale } = page;
  const { name, default_locale, locales, settings } = site;
  const siteVariable = { name, url: siteUrl, locale, default_locale, locales, settings };
  let pictures = 0;
  let componentCount = 0;

  /** The link from this page to a path of the site. The 404 page does not know where it will stand. */
  function link(path: string): string {
    // a feed is read elsewhere: its addresses are made absolute at the end
    if (page.kind === 'feed') return encodeURI(path);
    return page.kind === 'not_found'
      ? notFoundRoot + encodeURI(path.slice(1))
      : relativePath(page.path, encodeURI(path));
  }

  function picture(id: string, options: PictureOptions): string | null {
    log.reads.add(reads.media(id));
    const media = index.mediaById(id);
    if (!media) return null;
    const lazy = options.lazy ?? pictures > 0;
    pictures++;
    return renderMedia(media, link, { ...options, lazy });
  }

  /** `vars` is text in a body, which may turn out to be no JSON. */
  function component(handle: string, vars: string | Record<string, unknown>): string {
    log.reads.add(reads.component(handle));
    componentCount++;
    const rendered = data.renderComponent({
      handle,
      vars,
      place: page.path,
      site: siteVariable,
      idPrefix: `c${componentCount}-`,
    });
    if (!rendered) {
      log.warnings.add(`There is no component "${handle}".`);
      return '';
    }
    log.components.add(handle);
    // what a preview shows in the place of a failure is never taken over into a live release
    if (rendered.failed) log.reads.add(reads.target);
    return rendered.html;
  }

  function expandBody(html: string): string {
    return cutBody(html)
      .map((piece) => {
        if (piece.kind === 'html') return piece.html;
        if (piece.kind === 'component') return component(piece.handle, piece.vars);
        const { alt, title, width, height, class: className } = piece.attributes;
        const options = {
          ...(alt ? { alt } : {}),
          ...(title ? { title } : {}),
          ...(width ? { width } : {}),
          ...(height ? { height } : {}),
          ...(className ? { class: className } : {}),
        };
        const shown = uuid.test(piece.id) ? picture(piece.id, options) : null;
        if (shown === null) log.warnings.add(`There is no media item ${piece.id}.`);
        return shown ?? '';
      })
      .join('');
  }

  function bodyOf(item: ItemInput): string {
    log.reads.add(reads.item(item.id));
    const body = data.bodies.get(item.id);
    if (body === undefined) throw new MissingBody(item.id);
    return body;
  }

  function presentTranslation({ locale: language, path, title }: Translation) {
    return { locale: language, url: siteUrl + encodeURI(path), title, path };
  }

  /** An item as templates see it: its record, and members that cost something only when they are read. */
  function present(item: ItemInput) {
    log.listed.add(item.id);
    const { order: _order, revision: _revision, ...record } = item;
    const path = index.pathOf(item);
    const url = siteUrl + encodeURI(path);
    let body: SafeHtml | undefined;
    return {
      ...record,
      path,
      url,
      canonical: url,
      get body() {
        return (body ??= markSafe(expandBody(bodyOf(item))));
      },
      get body_html() {
        return markSafe(bodyOf(item));
      },
      get updated_at() {
        log.reads.add(reads.item(item.id));
        return item.updated_at;
      },
      get translations() {
        log.reads.add(reads.translations(item.id));
        return index.translations(item).map(presentTranslation);
      },
    };
  }

  function listPosts(query: PostsQuery) {
    log.reads.add(reads.posts(query));
    return index.posts(query).map(present);
  }

  function presentPage(): Record<string, unknown> {
    if (page.itemId !== null) {
      const item = index.itemById(page.itemId)!;
      log.reads.add(reads.item(item.id));
      return present(item);
    }
    if (page.kind === 'not_found') return { canonical: null, url: null, translations: [] };
    const url = siteUrl + encodeURI(page.path);
    const isHome = page.kind === 'home';
    return {
      canonical: url,
      url,
      path: page.path,
      get translations() {
        if (!isHome) return [];
        log.reads.add(reads.homes);
        const homes = homeTranslations(index);
        return homes.length > 1 ? homes.map(presentTranslation) : [];
      },
    };
  }

  function presentPagination() {
    const slice = page.archive;
    if (!slice) return undefined;
    const { page: number, total_pages, per_page, prev, next, fromOldest, count } = slice;
    const newest = (total: number) => total - fromOldest - count;
    return {
      page: number,
      total_pages,
      per_page,
      prev_url: prev === null ? null : link(prev),
      next_url: next === null ? null : link(next),
      get total() {
        log.reads.add(reads.postCount(locale));
        return index.countPosts(locale);
      },
      get items() {
        log.reads.add(reads.archive(locale, fromOldest, count));
        const query = { locale, tag: null, offset: newest(index.countPosts(locale)), limit: count };
        return index.posts(query).map(present);
      },
    };
  }

  const functions: Record<string, HostFunction> = {
    posts([first], named) {
      const options = { ...asOptions(first), ...named };
      return listPosts({
        limit: asCount(options['limit'] ?? (typeof first === 'object' ? null : first), maxListLength),
        offset: asCount(options['offset'], 0) ?? 0,
        tag: asText(options['tag']),
        locale: asText(options['locale']) ?? locale,
      });
    },
    pages([first], named) {
      const language = asText({ ...asOptions(first), ...named }['locale']) ?? locale;
      log.reads.add(reads.pages(language));
      return index.pages(language).map(present);
    },
    asset([path]) {
      const name = asText(path) ?? '';
      log.reads.add(reads.shell(name));
      const found = data.assetPaths.get(name);
      if (!found) throw new ContentFault(`asset('${name}'): the shell has no such file.`);
      return link(found);
    },
    media([value, options], named) {
      const id =
        asText(value)
          ?.replace(/^media:/, '')
          .toLowerCase() ?? '';
      if (!uuid.test(id)) return null;
      log.reads.add(reads.media(id));
      const media = index.mediaById(id);
      if (!media) return null;
      const wanted = { ...asOptions(options), ...named };
      const file = mainFile(media);
      const sizes = asText(wanted['sizes']);
      const alt = asText(wanted['alt']);
      return {
        id,
        kind: media.kind,
        url: link(file.path),
        absolute_url: siteUrl + encodeURI(file.path),
        width: media.width,
        height: media.height,
        alt: media.decorative ? '' : (media.alt ?? ''),
        get picture() {
          const lazy = typeof wanted['lazy'] === 'boolean' ? wanted['lazy'] : undefined;
          const chosen = {
            ...(sizes ? { sizes } : {}),
            ...(alt === null ? {} : { alt }),
            ...(lazy === undefined ? {} : { lazy }),
          };
          return markSafe(picture(id, chosen) ?? '');
        },
      };
    },
    component([handle, vars], named) {
      return markSafe(component(asText(handle) ?? '', { ...asOptions(vars), ...named }));
    },
    url([target]) {
      const text = asText(target);
      if (text !== null) {
        if (!text.startsWith('/') || text.startsWith('//')) return text;
        return link(localePrefix(locale, site) + text.slice(1));
      }
      const { path, url } = asOptions(target);
      return typeof path === 'string' ? link(path) : typeof url === 'string' ? url : '';
    },
    t([value]) {
      const text = asText(value) ?? '';
      log.reads.add(reads.shell('translations.json'));
      const language = locale.split('-')[0]!;
      for (const table of [data.translations[locale], data.translations[language]]) {
        const found = table && Object.hasOwn(table, text) ? table[text] : undefined;
        if (typeof found === 'string') return found;
      }
      return text;
    },
  };

  log.reads.add(reads.site).add(reads.scripts);
  const pagination = presentPagination();
  const context = {
    site: siteVariable,
    page: presentPage(),
    ...(pagination ? { pagination } : {}),
  };
  /** An item's body with images and components rendered. */
  const expandItem = (item: ItemInput) => expandBody(bodyOf(item));
  return { context, functions, expandItem };
}
