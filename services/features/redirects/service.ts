import type { Db } from '../../core/db.ts';
import { invalid, notFound, problem } from '../../core/errors.ts';
import type { Site } from '../../core/http.ts';
import { isUniqueViolation, runAgain } from '../../engines/sql/errors.ts';
import {
  insertRedirect,
  type RedirectRow,
  type RedirectRule,
  selectRedirect,
  selectRedirectFrom,
  updateRedirectRow,
} from './sql.ts';

const maxChain = 100;

/** The path on this site that a target leads to, or null when it leaves the site. */
function ownPath(target: string, site: Pick<Site, 'domain'>): string | null {
  if (target.startsWith('/')) return target.split(/[?#]/, 1)[0]!;
  const url = new URL(target);
  return site.domain !== null && url.hostname === site.domain ? url.pathname : null;
}

/** Follows the rule through the others; 422 when it comes back to where it began (contract: redirect). */
async function requireNoLoop(db: Db, site: Site, rule: RedirectRule, exceptId?: string): Promise<void> {
  let path = ownPath(rule.to_url, site);
  for (let step = 0; path !== null; step++) {
    if (path === rule.from_path || step >= maxChain) {
      throw invalid([{ path: 'to', message: `would lead back to ${rule.from_path}: a loop` }]);
    }
    const next = await selectRedirectFrom(db, site.id, path);
    if (!next || next.id === exceptId) return;
    path = ownPath(next.to_url, site);
  }
}

const fromTaken = (from: string) => problem('from_taken', `There is already a redirect from ${from}.`);

/** Throws `from_taken`, and `validation_failed` for a loop. */
export async function createRedirect(db: Db, site: Site, rule: RedirectRule): Promise<RedirectRow> {
  if (await selectRedirectFrom(db, site.id, rule.from_path)) throw fromTaken(rule.from_path);
  await requireNoLoop(db, site, rule);
  const row = await insertRedirect(db, site.id, rule);
  if (!row) throw fromTaken(rule.from_path);
  return row;
}

/** Throws `not_found`, `from_taken`, and `validation_failed` for a loop. */
export async function updateRedirect(
  db: Db,
  site: Site,
  id: string,
  changes: Partial<RedirectRule>,
): Promise<RedirectRow> {
  const before = await selectRedirect(db, site.id, id);
  if (!before) throw notFound('redirect');
  const rule = { ...before, ...changes };
  const holder = await selectRedirectFrom(db, site.id, rule.from_path);
  if (holder && holder.id !== id) throw fromTaken(rule.from_path);
  await requireNoLoop(db, site, rule, id);
  try {
    const row = await updateRedirectRow(db, site.id, id, rule);
    if (row) return row;
  } catch (error) {
    if (isUniqueViolation(error, 'redirects_from_key')) throw runAgain(error);
    throw error;
  }
  throw notFound('redirect');
}
