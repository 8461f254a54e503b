import type { Db } from '../../core/db.ts';
import { type ErrorDetail, invalid, problem } from '../../core/errors.ts';
import type { WrittenContent } from './row.ts';
import type { ContentScope } from './scope.ts';
import { lockContent, mediaExists, selectTranslatable, selectTranslation } from './sql.ts';

/**
 * Checks the rules that need other members or other records, for the members in `changed`. Throws `validation_failed`
 * with all errors, and `translation_taken`.
 */
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
    details.push({ path: 'featured_media_id', message: 'must be the id of a media item of this site' });
  }
  if (changed.translation_of) {
    const original =
      item.translation_of === id ? undefined : await selectTranslatable(db, site.id, item.translation_of!);
    if (original?.locale !== site.default_locale)
      details.push({ path: 'translation_of', message: 'must be the id of an item of this site in its default locale' });
  }
  if (details.length > 0) throw invalid(details);
  if (item.translation_of && (changed.translation_of || changed.locale !== undefined))
    await requireOnlyTranslation(db, { ...item, translation_of: item.translation_of }, id);
}

/**
 * Checks that the original has no other translation into the language outside the trash; items from before this rule
 * keep theirs. Locks the original's row so that concurrent requests wait, so it needs a transaction. Throws
 * `translation_taken`.
 */
export async function requireOnlyTranslation(
  db: Db,
  { translation_of: original, locale }: { translation_of: string; locale: string },
  id?: string,
): Promise<void> {
  await lockContent(db, original);
  const other = await selectTranslation(db, original, locale, id ?? null);
  if (!other) return;
  throw problem('translation_taken', `The item has a translation into ${locale} already, ${other}; change that one.`);
}
