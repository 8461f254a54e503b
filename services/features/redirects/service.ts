import type { Config } from '../../core/config.ts';
import type { Db } from '../../core/db.ts';
import { invalid, notFound, problem } from '../../core/errors.ts';
import type { Site } from '../../core/http.ts';
import { isUniqueViolation, runAgain } from '../../engines/sql/errors.ts';
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

/** The redirect of a path, however it is spelled: the edge does not tell `/a` from `/a/`. */
function findRedirect(db: Db, siteId: string, path: string): Promise<RedirectRow | undefined> {
  return selectRedirectFrom(db, siteId, spellingsOf(path));
}

type Find = (path: string) => Promise<RedirectRow | undefined> | RedirectRow | undefined;

/** Follows the rule through the others: whether it comes back to where it began. */
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
 * 422 for a loop (contract: redirect). The site is read in the same transaction: on another domain the rule may be another one's
 * neighbour.
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

/** A site that takes a domain may come to stand where its own redirects lead to: 422 for a loop that this would make. */
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

/** Throws `from_taken`, and `validation_failed` for a loop. */
export async function createRedirect(scope: RedirectScope, rule: RedirectRule): Promise<RedirectRow> {
  const { db, site } = scope;
  if (await findRedirect(db, site.id, rule.from_path)) throw fromTaken(rule.from_path);
  await requireNoLoop(scope, rule);
  const row = await insertRedirect(db, site.id, rule);
  if (!row) throw fromTaken(rule.from_path);
  return row;
}

/** Throws `not_found`, `from_taken`, and `validation_failed` for a loop. */
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
    if (isUniqueViolation(error, 'redirects_from_key')) throw runAgain(error);
    throw error;
  }
  throw notFound('redirect');
}
