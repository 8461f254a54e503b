import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiAccess, callApi } from './api.ts';
import { type DemoItem, demoSite } from './content/items.ts';
import { demoPages } from './content/pages.ts';
import { demoPosts } from './content/posts.ts';
import { demoTranslations } from './content/translations.ts';
import { loadContentBody } from './load.ts';

export type SeedOptions = ApiAccess & { log: (line: string) => void };
export type SeedResult = { siteSlug: string; url: string; pages: number | null };

type SiteRecord = { id: string; slug: string; url: string; locales: string[]; live_release: string | null };
type ContentRecord = { id: string; source_ref: string | null; locale: string; slug: string };
type JobRecord = {
  status: 'queued' | 'running' | 'succeeded' | 'failed';
  error: { message: string } | null;
  result: { url: string; pages: number } | null;
};
type BatchResult = { status: number; data?: ContentRecord; error?: { message: string } };

const publishTimeoutMs = 180_000;

/**
 * Creates and publishes the demo site (slug `demo`), using only the public REST API. Safe to run again: a live demo
 * site is left unchanged, with all edits; one left incomplete by an interrupted run is completed. Returns its URL and
 * the number of published pages (null if it was live already). Throws a sentence that names the failed request.
 */
export async function seedDemo(options: SeedOptions): Promise<SeedResult> {
  const found = await ensureSite(options);
  if (found.live_release !== null) {
    options.log(`The demo site is live at ${found.url}`);
    return { siteSlug: found.slug, url: found.url, pages: null };
  }
  const site = await ensureLocales(options, found);
  const existing = await listContent(options);
  const originals = await createMissing(options, site, [...demoPages, ...demoPosts], existing);
  await createMissing(options, site, demoTranslations, originals);
  options.log('Publishing the demo site');
  const published = await publishAndWait(options);
  return { siteSlug: site.slug, ...published };
}

async function ensureSite(options: SeedOptions): Promise<SiteRecord> {
  const created = await callApi(options, { method: 'POST', path: '/sites', body: demoSite }, [409]);
  if (created.status !== 409) {
    options.log(`Created the site ${demoSite.name}`);
    return created.data as SiteRecord;
  }
  const found = await callApi(options, { method: 'GET', path: `/sites/${demoSite.slug}` });
  return found.data as SiteRecord;
}

/** Adds the locales of the translations that the site lacks. */
async function ensureLocales(options: SeedOptions, site: SiteRecord): Promise<SiteRecord> {
  const wanted = new Set(demoTranslations.map(({ locale }) => locale));
  const missing = [...wanted].filter((locale) => !site.locales.includes(locale));
  for (const locale of missing) {
    await callApi(options, { method: 'POST', path: `/sites/${site.slug}/languages`, body: { locale } }, [409]);
  }
  return { ...site, locales: [...site.locales, ...missing] };
}

async function listContent(options: SeedOptions): Promise<ContentRecord[]> {
  const listed = await callApi(options, { method: 'GET', path: `/sites/${demoSite.slug}/content?per_page=100` });
  return listed.data as ContentRecord[];
}

/**
 * Creates, in one request, the items that the site lacks and whose locale it has; returns the records of all items that
 * exist afterwards.
 */
async function createMissing(
  options: SeedOptions,
  site: SiteRecord,
  items: DemoItem[],
  existing: ContentRecord[],
): Promise<ContentRecord[]> {
  const missing = items.filter(
    (item) => site.locales.includes(item.locale) && findRecord(existing, item.source_ref) === undefined,
  );
  if (missing.length === 0) return existing;
  const bodies = await Promise.all(
    missing.map((item) => loadContentBody(item, item.translates && findRecord(existing, item.translates)?.id)),
  );
  const reply = await callApi(options, {
    method: 'POST',
    path: `/sites/${site.slug}/content/batch`,
    body: { items: bodies },
    idempotencyKey: `demo-${createHash('sha256').update(site.id).update(JSON.stringify(bodies)).digest('hex')}`,
  });
  const { results } = reply.data as { results: BatchResult[] };
  const created = results.map((result, index) => {
    if (result.data !== undefined) return result.data;
    throw new Error(
      `The demo item "${missing[index]?.title}" was rejected (${result.status}): ${result.error?.message}`,
    );
  });
  const kind = missing[0]!.translates ? 'translations' : 'items';
  options.log(`Wrote ${created.length} ${kind}`);
  return [...existing, ...created];
}

function findRecord(records: ContentRecord[], sourceRef: string): ContentRecord | undefined {
  return records.find((record) => record.source_ref === sourceRef);
}

async function publishAndWait(options: SeedOptions): Promise<{ url: string; pages: number }> {
  const queued = await callApi(options, { method: 'POST', path: `/sites/${demoSite.slug}/publish` });
  const { job } = queued.data as { job: string };
  const deadline = Date.now() + publishTimeoutMs;
  // The pause grows, so that even a slow first build stays far below 60 requests a minute.
  for (let pauseMs = 500; Date.now() < deadline; pauseMs = Math.min(pauseMs * 1.5, 5000)) {
    const polled = await callApi(options, { method: 'GET', path: `/jobs/${job}` });
    const record = polled.data as JobRecord;
    if (record.status === 'succeeded' && record.result !== null)
      return { url: record.result.url, pages: record.result.pages };
    if (record.status === 'failed') throw new Error(`Publishing the demo site failed: ${record.error?.message}`);
    await sleep(pauseMs, undefined, { signal: options.signal });
  }
  throw new Error(`The demo site was not published within ${publishTimeoutMs / 1000} seconds (job ${job}).`);
}
