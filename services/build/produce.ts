import { randomUUID } from 'node:crypto';
import type { HashedPlace, ObjectStore } from '../engines/objects/store.ts';
import type { ThreadPool } from '../engines/threads/thread-pool.ts';
import { type BaseRelease, findBase } from './base-release.ts';
import { assignTemplates, choosePages, whyOf } from './choose.ts';
import { countChanged, countPages, isCountedAt } from './count-pages.ts';
import { readSources, readValuesOf } from './file-sources.ts';
import { toStoredInputs } from './inputs.ts';
import { finishPages, keepPages, type RenderedPages, unpinnedHashes, writtenPages } from './kept-pages.ts';
import { describeSources, readsThatMayDiffer } from './made-from.ts';
import { assetsPrefix } from './manifest.ts';
import { notFoundPages } from './map-files.ts';
import { isInProgress } from './media-progress.ts';
import { findMissing } from './missing.ts';
import type { BuildTask } from './model.ts';
import type { NewRelease } from './new-release.ts';
import { createPageStore } from './page-store.ts';
import { planPages } from './pages.ts';
import { flattenRedirects } from './redirects.ts';
import { type ReleaseFile, releaseFiles, shownIn } from './release-files.ts';
import { sumFiles } from './release-tree/manifest-tree.ts';
import { patchReads } from './release-tree/trace-tree.ts';
import { type RenderDeps, renderStale } from './render-stale.ts';
import { isDivided, renderDivided, type Shards } from './shards/divided-build.ts';
import { type DocumentDeps, storeDocuments } from './store-documents.ts';
import { renderVersion } from './version.ts';
import { BuildTimedOut, type BuildWatch } from './watch.ts';
import { summarizeWhy } from './why.ts';
import { findNewFiles, writeFiles } from './written-files.ts';

export interface ProduceDeps extends RenderDeps, DocumentDeps {
  objects: ObjectStore;
  threads: Pick<ThreadPool, 'run'>;
  /** How a large build is divided over workers; absent: it is not. */
  shards?: Shards;
}

export interface Produced {
  release: NewRelease;
  base: BaseRelease;
  /** Numbers of pages by origin. */
  pages: { rendered: number; reused: number };
  /** Why pages were rendered, for the log; at most `reasonsLogged`. */
  reasons: Record<string, unknown>;
}

const reasonsLogged = 10;

/**
 * Stores what the build generated and pins the stored objects that it uses; returns the place of each file by its hash.
 */
async function storeFiles({ db, objects }: ProduceDeps, { inputs }: BuildTask, files: readonly ReleaseFile[]) {
  const made = await objects.putMany(files.flatMap(({ data }) => data ?? []));
  const places = new Map<string, HashedPlace>(made.map((place) => [place.hash, place]));
  const taken = [...files.map(({ hash }) => hash), ...inputs.components.map(({ compiled_hash }) => compiled_hash)];
  const pinned = await objects.pin(
    db,
    taken.filter((hash) => !places.has(hash)),
  );
  for (const [hash, place] of pinned) places.set(hash, place);
  return places;
}

/**
 * Makes a release of a snapshot: renders pages that no earlier release can supply, stores new bytes and writes the
 * manifest. Nothing becomes visible to visitors. Throws a ContentFault for an error that an author has to fix, and a
 * BuildTimedOut that holds the finished pages.
 */
export async function produceRelease(
  deps: ProduceDeps,
  task: BuildTask,
  bases: readonly BaseRelease[],
  siteUrl: string,
  watch: BuildWatch,
): Promise<Produced> {
  const { inputs, replaces } = task;
  const id = randomUUID();
  const { madeFrom, differences } = describeSources(task, siteUrl, findBase(bases)?.madeFrom);
  const sources = await readSources(deps, task, siteUrl, madeFrom.sorted, watch.check);
  const planned = assignTemplates(planPages(sources.index), sources.shell.templates);
  const readValue = readValuesOf(task, sources, planned);
  const mayDiffer = differences ? readsThatMayDiffer(differences, task, planned) : undefined;
  const choice = choosePages(planned, bases, replaces, readValue, mayDiffer);
  const { base } = choice;
  const store = createPageStore(deps.objects);
  const stale = choice.stale.map(({ page }) => page);
  const { shards } = deps;
  let divided: RenderedPages | null = null;
  try {
    if (isDivided(stale.length, shards)) {
      const build = { task, sources, planned, pages: stale, shardPages: shards.pages, readValue };
      divided = await renderDivided(deps, build, shards, watch);
    } else await renderStale(deps, task, sources, stale, store, watch);
  } catch (error) {
    if (error instanceof BuildTimedOut) error.kept = await keepPages(deps, task, { choice, store, readValue });
    throw error;
  }

  watch.report({ stage: 'store', done: 0, total: stale.length });
  const rendered = divided ?? (await finishPages(store));
  const pages = writtenPages(choice, rendered);
  const reads = patchReads(base?.trace.tree ?? null, pages.reads, choice.removed, readValue);
  const files = releaseFiles(sources, reads);
  const newFiles = findNewFiles(files, base);
  const places = await storeFiles(deps, task, newFiles);
  const { site, redirects } = inputs;
  const why = whyOf(choice);
  const shownMedia = shownIn(reads, 'media');
  const { manifest, trace, hashes, stored } = await storeDocuments(deps, {
    manifest: {
      site: site.id,
      release: id,
      default_locale: site.default_locale,
      redirects: flattenRedirects(redirects),
      not_found: notFoundPages(sources.index),
      tree: writeFiles({ planned, choice, pages, files, newFiles, places }),
    },
    trace: { version: renderVersion, why, tree: reads },
    inputs: toStoredInputs(inputs, shownMedia),
  });
  watch.check();

  const counted = countPages(planned);
  const isReplaced = base !== null && base.id === replaces;
  const referred = [...places.values(), ...stored].map(({ hash }) => hash);
  return {
    base: { id, manifest, trace, madeFrom },
    pages: { rendered: stale.length, reused: planned.size - stale.length },
    reasons: Object.fromEntries(
      choice.stale.slice(0, reasonsLogged).map(({ page, reason }) => [page.plan.path, reason]),
    ),
    release: {
      id,
      ...hashes,
      pages: counted,
      changed: isReplaced ? countChanged(planned, pages.files.keys(), manifest, choice) : counted,
      bytes: sumFiles(manifest.tree).bytes,
      hashes: [...new Set([...rendered.hashes, ...referred, ...unpinnedHashes(choice)])],
      assets: files.filter(({ path }) => path.startsWith(assetsPrefix)),
      url: `${siteUrl}/`,
      why: summarizeWhy(why, counted, (path) => isCountedAt(planned, path)),
      awaitedMedia: inputs.media.filter((media) => shownMedia.has(media.id) && isInProgress(media)).map(({ id }) => id),
      warnings: findMissing(reads, planned),
    },
  };
}
