import { setImmediate } from 'node:timers/promises';
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

/**
 * Returns the path of the same site to which a path redirects: null for a target outside the site, undefined if no
 * redirect has the path.
 */
type Next = (path: string) => Promise<string | null | undefined> | string | null | undefined;

/** Returns whether following the redirects from `first` (null: outside the site) leads back to `start`. */
async function isLoop(start: string, first: string | null, next: Next): Promise<boolean> {
  let path: string | null | undefined = first;
  for (let step = 0; path !== null && path !== undefined; step++) {
    if (path === start || step >= maxChain) return true;
    const following = next(path);
    // results from memory are not awaited, because a site may have many thousands
    path = following instanceof Promise ? await following : following;
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
  const targetOf = ({ to_url }: Pick<RedirectRule, 'to_url'>) => ownPath(to_url, current, config);
  const loops = await isLoop(canonicalPath(rule.from_path), targetOf(rule), async (path) => {
    const found = await findRedirect(db, site.id, path);
    return found && found.id !== exceptId ? targetOf(found) : undefined;
  });
  if (loops) throw invalid([{ path: 'to', message: `would lead back to ${rule.from_path}: a loop` }]);
}

/** Redirects processed before the event loop may run other requests. */
const rulesPerTick = 1_000;

/**
 * Checks the redirects of a site that gets a domain, because their targets may now be on the site itself. Throws 422
 * for a loop.
 */
export async function requireNoLoopOnDomain({ db, site, config }: RedirectScope): Promise<void> {
  const all = await selectAllRedirects(db, site.id);
  const next = new Map<string, string | null>();
  const rules: { start: string; rule: RedirectRow }[] = [];
  for (const [index, rule] of all.entries()) {
    if (index % rulesPerTick === 0) await setImmediate();
    const start = canonicalPath(rule.from_path);
    next.set(start, ownPath(rule.to_url, site, config));
    if (!rule.to_url.startsWith('/')) rules.push({ start, rule });
  }
  for (const [index, { start, rule }] of rules.entries()) {
    if (index % rulesPerTick === 0) await setImmediate();
    if (!(await isLoop(start, next.get(start)!, (path) => next.get(path)))) continue;
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
  const other = await findRedirect(db, site.id, rule.from_path);
  if (other && other.id !== id) throw fromTaken(rule.from_path);
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
