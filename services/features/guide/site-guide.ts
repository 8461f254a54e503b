import type { Config } from '../../core/config.ts';
import type { Db } from '../../core/db.ts';
import type { Site } from '../../core/http.ts';
import { readWholePage } from '../../core/large-list.ts';
import { localePrefix, siteUrl } from '../../core/public-paths.ts';
import { selectComponents } from '../components/index.ts';
import { requiredTemplates, selectPresentPaths } from '../shell/index.ts';
import { describeService } from './guide.ts';

/** Maximum number of components that are listed. */
const maxComponents = 1000;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns the names in a `variables_schema`: a JSON Schema, or just its `properties` map (contract: In `body_html`).
 */
function variableNames(schema: Record<string, unknown> | null): string[] {
  if (!schema) return [];
  if (isObject(schema['properties'])) return Object.keys(schema['properties']);
  return Object.values(schema).every(isObject) ? Object.keys(schema) : [];
}

/**
 * Returns the guide of one site: the service's rules, and the site's locales, components and templates (spec: authoring
 * guide).
 */
export async function describeSite(
  { db, config }: { db: Db; config: Pick<Config, 'mediaLimits' | 'rateLimitIp' | 'rateLimitKey' | 'edgeUrl'> },
  site: Site,
) {
  const [components, present] = [
    await readWholePage(await selectComponents(db, site.id, { page: 1, per_page: maxComponents })),
    await selectPresentPaths(db, site.id, requiredTemplates),
  ];
  const locales = site.locales.map(({ locale, name }) => ({
    locale,
    name,
    default: locale === site.default_locale,
    path_prefix: localePrefix(locale, site),
  }));
  return {
    ...describeService(config),
    site: {
      slug: site.slug,
      name: site.name,
      url: `${siteUrl(site, config)}/`,
      default_locale: site.default_locale,
      locales,
      components: components.map(({ handle, type, variables_schema }) => ({
        handle,
        type,
        variables: variableNames(variables_schema),
        variables_schema,
        embed: `<x-component handle="${handle}" vars='{}'></x-component>`,
        in_templates: `{{ component('${handle}', {}) }}`,
      })),
      missing_templates: requiredTemplates.filter((path) => !present.has(path)),
      settings: site.settings,
    },
  };
}
