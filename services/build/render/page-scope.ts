import type { PagePlan } from '../page-plan.ts';
import { reads } from '../reads.ts';
import { createPageEmbeds } from './page-embeds.ts';
import type { PageLog, RenderData } from './page-log.ts';
import { createPageVariables } from './page-variables.ts';
import { createTemplateFunctions } from './template-functions.ts';

/**
 * Creates the variables and functions of one page (contract: Shell contract). Every read goes through `log`, which
 * becomes the page's trace, so a template can learn nothing about the site that is not in the trace.
 */
export function createPageScope(data: RenderData, page: PagePlan, log: PageLog) {
  const { name, default_locale, locales, settings } = data.index.inputs.site;
  const site = { name, url: data.siteUrl, locale: page.locale, default_locale, locales, settings };
  log.reads.add(reads.site).add(reads.scripts);
  const embeds = createPageEmbeds(data, page, log, site);
  const variables = createPageVariables(data, page, log, embeds);
  const { pagination } = variables;
  return {
    context: { site, page: variables.page, ...(pagination ? { pagination } : {}) },
    functions: createTemplateFunctions(data, page, log, embeds, variables),
    expandItem: embeds.expandItem,
  };
}
