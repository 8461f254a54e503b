import { type ErrorDetail, invalid } from '../../core/errors.ts';
import type { WrittenContent } from './row.ts';
import type { ContentScope } from './scope.ts';
import { mediaExists, selectTranslatable } from './sql.ts';

/** Rules that look beyond one member. Throws `validation_failed` with everything that is to be mended. */
export async function checkItem(
  { db, site }: ContentScope,
  item: WrittenContent,
  changed: Partial<Record<keyof WrittenContent, unknown>>,
  id?: string,
) {
  const details: ErrorDetail[] = [];
  if (item.status === 'scheduled' && !item.scheduled_at)
    details.push({ path: 'scheduled_at', message: 'is required when the status is scheduled' });
  if (changed.locale !== undefined && !site.locales.some(({ locale }) => locale === item.locale)) {
    details.push({ path: 'locale', message: `the site has no locale ${item.locale}` });
  }
  if (changed.type !== undefined && site.locales.some(({ locale }) => locale.toLowerCase() === item.type)) {
    details.push({ path: 'type', message: `must not be a locale of the site, whose pages are under /${item.type}/` });
  }
  if (changed.featured_media_id && !(await mediaExists(db, site.id, item.featured_media_id!))) {
    details.push({ path: 'featured_media_id', message: 'names no media item of this site' });
  }
  if (changed.translation_of) {
    const original =
      item.translation_of === id ? undefined : await selectTranslatable(db, site.id, item.translation_of!);
    if (original?.locale !== site.default_locale)
      details.push({ path: 'translation_of', message: 'must be the id of an item of this site in its default locale' });
  }
  if (details.length > 0) throw invalid(details);
}
