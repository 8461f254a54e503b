import { ContentFault } from './model.ts';
import type { PagePlan } from './page-plan.ts';
import type { PlannedPage } from './render/protocol.ts';

/** Selects each page's template. Throws a ContentFault if the shell lacks every template that a page may use. */
export function assignTemplates(
  plans: readonly PagePlan[],
  templates: Readonly<Record<string, unknown>>,
): Map<string, PlannedPage> {
  const planned = new Map<string, PlannedPage>();
  for (const plan of plans) {
    const template = plan.kind === 'feed' ? '' : plan.templates.find((name) => Object.hasOwn(templates, name));
    if (template === undefined)
      throw new ContentFault(`The shell has no ${plan.templates.join(' or ')}, which the page ${plan.path} needs.`);
    planned.set(plan.path, { plan, template });
  }
  return planned;
}
