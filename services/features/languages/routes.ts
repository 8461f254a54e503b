import { z } from 'zod';
import type { Db } from '../../core/db.ts';
import { notFound, problem } from '../../core/errors.ts';
import type { Site } from '../../core/http.ts';
import { canonicalLocale, localeName, localeText } from '../../core/locale.ts';
import { created, list, ok, tagOf } from '../../core/reply.ts';
import { deletedRecord, pageQuery, text } from '../../core/schema.ts';
import { changedByOf, movePageAway, usesType } from '../content/index.ts';
import { type AppRoute, type Input, route } from '../route.ts';
import { changeLocales, selectSiteForUpdate } from '../sites/index.ts';

const tag = 'Languages';

const languageRecord = z
  .object({ locale: z.string(), name: z.string(), default: z.boolean() })
  .meta({ id: 'Language', example: { locale: 'de', name: 'German', default: false } });
const createLanguageBody = z
  .strictObject({
    locale: localeText.describe('BCP 47, such as `de` or `pt-BR`'),
    name: text(200, 1).optional().describe('For people; the English name of the language when absent'),
  })
  .meta({ id: 'AddLanguageBody', example: { locale: 'de' } });

type Language = Site['locales'][number];

const presentLanguage = (site: Pick<Site, 'default_locale'>, { locale, name }: Language) => ({
  locale,
  name,
  default: locale === site.default_locale,
});

/**
 * Adds a locale. A page whose path collides with the locale's pages gets a counter (contract: Public paths). Throws
 * `locale_taken`; `conflict` when a content type has the locale's name, because its items would have the locale's
 * paths.
 */
async function addLanguage(input: Input, language: Language): Promise<void> {
  const { app, db, site, caller, writer } = input;
  const segment = language.locale.toLowerCase();
  if (await usesType(db, site.id, segment)) {
    throw problem(
      'conflict',
      `Items of the type ${segment} are under /${segment}/, where the locale's pages would be.`,
    );
  }
  const updated = await changeLocales(db, site.id, (locales) => {
    if (locales.some(({ locale }) => locale === language.locale)) {
      throw problem('locale_taken', `The site has the locale ${language.locale} already.`);
    }
    return [...locales, language];
  });
  await movePageAway({ app, db, site: updated, changedBy: changedByOf(caller), writer }, segment);
}

/** Removes a locale. Its items stay stored and are no longer published. Throws `not_found`, `default_locale`. */
function removeLanguage(db: Db, site: Site, tagText: string): Promise<Site> {
  const canonical = canonicalLocale(tagText);
  return changeLocales(db, site.id, (locales, defaultLocale) => {
    if (!locales.some(({ locale }) => locale === canonical)) throw notFound('locale of this site');
    if (canonical === defaultLocale)
      throw problem('default_locale', 'The default locale cannot be removed; make another one the default first.');
    return locales.filter(({ locale }) => locale !== canonical);
  });
}

async function readTag({ db, site, params }: Input): Promise<string | undefined> {
  const current = await selectSiteForUpdate(db, site.id);
  const canonical = canonicalLocale(params.locale!);
  const language = current?.locales.find(({ locale }) => locale === canonical);
  return language && tagOf(presentLanguage(current!, language));
}

export const languageRoutes: AppRoute[] = [
  route({
    method: 'GET',
    path: '/sites/:site/languages',
    operationId: 'listLanguages',
    scope: 'sites:read',
    tag,
    summary: 'List the locales, newest first',
    query: pageQuery,
    body: { kind: 'ignored' },
    reply: { status: 200, schema: languageRecord, list: true },
    async handler({ site, query }) {
      const all = site.locales.map((language) => presentLanguage(site, language)).reverse();
      const from = (query.page - 1) * query.per_page;
      return list(all.slice(from, from + query.per_page), all.length, query);
    },
  }),
  route({
    method: 'POST',
    path: '/sites/:site/languages',
    operationId: 'addLanguage',
    scope: 'translations:manage',
    tag,
    summary: 'Add a locale',
    description:
      'Pages of a locale other than the default one are under `/{locale}/`. Nothing is translated: write items with that `locale` and `translation_of`.',
    body: { kind: 'json', schema: createLanguageBody, readOnly: ['default'] },
    reply: { status: 201, schema: languageRecord },
    errors: ['locale_taken', 'conflict'],
    async handler(input) {
      const { site, body } = input;
      const language = { locale: body.locale, name: body.name ?? localeName(body.locale) };
      await addLanguage(input, language);
      return created(presentLanguage(site, language));
    },
  }),
  route({
    method: 'DELETE',
    path: '/sites/:site/languages/:locale',
    operationId: 'removeLanguage',
    scope: 'translations:manage',
    tag,
    summary: 'Remove a locale',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: deletedRecord },
    errors: ['default_locale'],
    etag: readTag,
    async handler({ db, site, params }) {
      await removeLanguage(db, site, params.locale!);
      return ok({ id: canonicalLocale(params.locale!), deleted: true });
    },
  }),
];
