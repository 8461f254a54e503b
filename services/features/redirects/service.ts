import type { Config } from '../../core/config.ts';
import type { Db } from '../../core/db.ts';
import { invalid, notFound, problem } from '../../core/errors.ts';
import type { Site } from '../../core/http.ts';
import { isUniqueViolation, serializationRetry } from '../../engines/sql/errors.ts';
import { selectSiteById } from '../sites/index.ts';
import { canonicalPath, ownPath, spellingsOf } from './canonical.ts';
import {
  insertRedirect,
  type RedirectRow,
  type RedirectRule,
  selectAllRedirects,
  selectRedirect,
  selectRedirectFrom,
  updateRedirectRow,
} from './sql.ts';

const maxChain = 100;

interface RedirectScope {
  db: Db;
  site: Site;
  config: Pick<Config, 'edgeUrl'>;
}

/** Returns the redirect of a path in any spelling: to the edge, `/a` and `/a/` are the same. */
function findRedirect(db: Db, siteId: string, path: string): Promise<RedirectRow | undefined> {
  return selectRedirectFrom(db, siteId, spellingsOf(path));
}

type Find = (path: string) => Promise<RedirectRow | undefined> | RedirectRow | undefined;

/** Whether following the rule through the others returns to its start. */
async function isLoop({ site, config }: Omit<RedirectScope, 'db'>, rule: RedirectRule, find: Find): Promise<boolean> {
  const start = canonicalPath(rule.from_path);
  let path = ownPath(rule.to_url, site, config);
  for (let step = 0; path !== null; step++) {
    if (path === start || step >= maxChain) return true;
    const next = await find(path);
    if (!next) return false;
    path = ownPath(next.to_url, site, config);
  }
  return false;
}

/**
 * Throws 422 for a loop (contract: redirect). The site is read in the same transaction, because on another domain the
 * rule may lead elsewhere.
 */
async function requireNoLoop(
  { db, site, config }: RedirectScope,
  rule: RedirectRule,
  exceptId?: string,
): Promise<void> {
  const current = await selectSiteById(db, site.id);
  if (!current) throw notFound('site');
  const loops = await isLoop({ site: current, config }, rule, async (path) => {
    const found = await findRedirect(db, site.id, path);
    return found?.id === exceptId ? undefined : found;
  });
  if (loops) throw invalid([{ path: 'to', message: `would lead back to ${rule.from_path}: a loop` }]);
}

/**
 * Throws 422 if a new domain of the site makes its own redirects a loop, because their targets become paths of the
 * site.
 */
export async function requireNoLoopOnDomain({ db, site, config }: RedirectScope): Promise<void> {
  const all = await selectAllRedirects(db, site.id);
  const byPath = new Map(all.map((redirect) => [canonicalPath(redirect.from_path), redirect]));
  for (const rule of all) {
    if (rule.to_url.startsWith('/') || !(await isLoop({ site, config }, rule, (path) => byPath.get(path)))) continue;
    const message = `the redirect from ${rule.from_path} to ${rule.to_url} would lead back to itself there: change or delete it first`;
    throw invalid([{ path: 'domain', message }]);
  }
}

const fromTaken = (from: string) => problem('from_taken', `There is already a redirect from ${from}.`);

/** Creates a redirect. Throws `from_taken`, and `validation_failed` for a loop. */
export async function createRedirect(scope: RedirectScope, rule: RedirectRule): Promise<RedirectRow> {
  const { db, site } = scope;
  if (await findRedirect(db, site.id, rule.from_path)) throw fromTaken(rule.from_path);
  await requireNoLoop(scope, rule);
  const row = await insertRedirect(db, site.id, rule);
  if (!row) throw fromTaken(rule.from_path);
  return row;
}

/** Changes a redirect. Throws `not_found`, `from_taken`, and `validation_failed` for a loop. */
export async function updateRedirect(
  scope: RedirectScope,
  id: string,
  changes: Partial<RedirectRule>,
): Promise<RedirectRow> {
  const { db, site } = scope;
  const before = await selectRedirect(db, site.id, id);
  if (!before) throw notFound('redirect');
  const rule = { ...before, ...changes };
  const holder = await findRedirect(db, site.id, rule.from_path);
  if (holder && holder.id !== id) throw fromTaken(rule.from_path);
  await requireNoLoop(scope, rule, id);
  try {
    const row = await updateRedirectRow(db, site.id, id, rule);
    if (row) return row;
  } catch (error) {
    if (isUniqueViolation(error, 'redirects_from_key')) throw serializationRetry(error);
    throw error;
  }
  throw notFound('redirect');
}
