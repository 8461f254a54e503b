import { localePrefix } from '../../core/public-paths.ts';
import { markSafe } from '../../twig/index.ts';
import { ContentFault } from '../model.ts';
import type { PagePlan } from '../page-plan.ts';
import { mainFile } from '../picture.ts';
import { reads } from '../reads.ts';
import { isMediaId, type PageEmbeds } from './page-embeds.ts';
import type { PageLog, RenderData } from './page-log.ts';
import type { PageVariables } from './page-variables.ts';
import { asCount, asOptions, asText } from './template-values.ts';

type HostFunction = (args: unknown[], named: Record<string, unknown>) => unknown;

const maxListLength = 1000;

/** Creates the functions that templates of one page may call (contract: Shell contract). */
export function createTemplateFunctions(
  data: RenderData,
  page: PagePlan,
  log: PageLog,
  embeds: PageEmbeds,
  variables: PageVariables,
): Record<string, HostFunction> {
  const { index, siteUrl } = data;
  const { locale } = page;
  const { link, picture, component, noteMissing } = embeds;

  function findMedia(value: unknown) {
    const text = asText(value) ?? '';
    const id = text.replace(/^media:/, '').toLowerCase();
    if (isMediaId(id)) log.reads.add(reads.media(id));
    const media = isMediaId(id) ? index.mediaById(id) : undefined;
    if (media || text === '') return media;
    const item = page.itemId === null ? undefined : index.itemById(page.itemId);
    noteMissing('media', id, id === item?.featured_media_id ? 'featured_media_id' : undefined);
    return undefined;
  }

  return {
    posts([first], named) {
      const options = { ...asOptions(first), ...named };
      return variables.listPosts({
        limit: Math.min(
          asCount(options['limit'] ?? (typeof first === 'object' ? null : first)) ?? Infinity,
          maxListLength,
        ),
        offset: asCount(options['offset']) ?? 0,
        tag: asText(options['tag']),
        locale: asText(options['locale']) ?? locale,
      });
    },
    pages([first], named) {
      return variables.listPages(asText({ ...asOptions(first), ...named }['locale']) ?? locale);
    },
    asset([path]) {
      const name = asText(path) ?? '';
      log.reads.add(reads.shell(name));
      const found = data.assetPaths.get(name);
      if (!found) throw new ContentFault(`asset('${name}'): the shell has no such file.`);
      return link(found);
    },
    media([value, options], named) {
      const media = findMedia(value);
      if (!media) return null;
      const wanted = { ...asOptions(options), ...named };
      const file = mainFile(media);
      const sizes = asText(wanted['sizes']);
      const alt = asText(wanted['alt']);
      return {
        id: media.id,
        kind: media.kind,
        url: file && link(file.path),
        absolute_url: file && siteUrl + encodeURI(file.path),
        width: media.width,
        height: media.height,
        alt: media.decorative ? '' : (media.alt ?? ''),
        focal_point: media.focal_point ?? null,
        placeholder: media.placeholder ?? null,
        get picture() {
          const lazy = typeof wanted['lazy'] === 'boolean' ? wanted['lazy'] : undefined;
          const chosen = {
            ...(sizes ? { sizes } : {}),
            ...(alt === null ? {} : { alt }),
            ...(lazy === undefined ? {} : { lazy }),
          };
          return markSafe(picture(media.id, chosen) ?? '');
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
        return link(localePrefix(locale, index.inputs.site) + text.slice(1));
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
}
