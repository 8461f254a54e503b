import { LRUCache } from 'lru-cache';
import type { ShellPreview, ShellPreviewInput } from '../../../workflows/contracts/shell-preview.ts';
import { type BuildInputs, produceRelease, readStored } from '../../build/index.ts';
import { notFound } from '../../core/errors.ts';
import type { Site } from '../../core/http.ts';
import { itemPreviewLifetimeMs } from '../../core/preview-token.ts';
import { siteUrl } from '../../core/public-paths.ts';
import { mayWriteChunks } from '../../engines/edges/registry.ts';
import type { App } from '../app.ts';
import { selectSiteById } from '../sites/index.ts';
import { insertRelease } from './finish.ts';
import type { PreviewParts } from './preview-item.ts';
import { explainPreviewFault, watchPreview } from './preview-limits.ts';

/** Number of sites whose last preview of a theme is remembered. */
const rememberedSites = 100;
/** A preview's release is kept at least as long as its links; afterwards its pages may be collected. */
const rememberedMs = itemPreviewLifetimeMs / 2;

type Engines = Pick<App, 'db' | 'objects' | 'config'> & { threads: Pick<App['threads'], 'run'> };

/**
 * Returns a function that renders the stored site with another shell, into a new release that only a preview link refers to. Pages that
 * the theme does not change are reused, also those of the last preview of a theme that this worker made. It throws `not_found`,
 * `validation_failed` if a page has a fault, and `unavailable`.
 */
export function createShellPreviewer(
  { db, objects, threads, config }: Engines,
  { items, releases, readBodies, renderer }: PreviewParts,
) {
  const lastPreviews = new LRUCache<string, string>({ max: rememberedSites, ttl: rememberedMs });

  async function readSources({ siteId, shellHash }: ShellPreviewInput): Promise<{ site: Site; inputs: BuildInputs }> {
    const shell = JSON.parse((await objects.getBytes(shellHash)).toString('utf8')) as BuildInputs['shell'];
    return db.transaction(async (tx) => {
      const site = await selectSiteById(tx, siteId);
      if (!site) throw notFound('site');
      return { site, inputs: { ...(await readStored(tx, site, items)), shell } };
    });
  }

  /** Reads the releases that pages may be reused from. */
  async function readBases({ id, preview_release, live_release }: Site) {
    const ids = [lastPreviews.get(id), preview_release, live_release].filter((one) => typeof one === 'string');
    const found = await Promise.all([...new Set(ids)].map((one) => releases.read(one)));
    return found.filter((release) => release !== null);
  }

  return async function previewShell(input: ShellPreviewInput, signal: AbortSignal): Promise<ShellPreview> {
    const { site, inputs } = await readSources(input);
    const bases = await readBases(site);
    const task = { target: 'preview' as const, inputs, replaces: bases[0]?.id ?? null };
    const writesChunks = () => mayWriteChunks(db);
    const deps = { db, objects, threads, renderer, readBodies, writesChunks, lost: releases.lost };
    const url = siteUrl(inputs.site, config);
    const { release, base } = await produceRelease(deps, task, bases, url, watchPreview(signal)).catch(
      (error: unknown) => {
        throw explainPreviewFault(error);
      },
    );
    await db.transaction((tx) => insertRelease(tx, objects, { siteId: site.id, preview: true }, release));
    releases.remember(base);
    lastPreviews.set(site.id, release.id);
    return { release: release.id };
  };
}
