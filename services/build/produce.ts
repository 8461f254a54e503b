import { randomUUID } from 'node:crypto';
import type { Db } from '../core/db.ts';
import type { HashedPlace, ObjectStore } from '../engines/objects/store.ts';
import type { ThreadPool } from '../engines/threads/thread-pool.ts';
import type { BaseRelease } from './base-release.ts';
import { assignTemplates, type Choice, choosePages, whyOf } from './choose.ts';
import { componentFiles, loadComponents } from './components.ts';
import { toStoredInputs } from './inputs.ts';
import { keepPages, unpinnedHashes } from './kept-pages.ts';
import { assetsPrefix, type Manifest } from './manifest.ts';
import { createManifestWriter } from './manifest-writer.ts';
import { notFoundPages } from './map-files.ts';
import { isInProgress } from './media-progress.ts';
import { findMissing } from './missing.ts';
import type { BuildTask } from './model.ts';
import type { NewRelease } from './new-release.ts';
import { createPageStore, type PageStore } from './page-store.ts';
import { planPages } from './pages.ts';
import { createReadValues } from './reads.ts';
import { flattenRedirects } from './redirects.ts';
import { type FileSources, type ReleaseFile, releaseFiles, shownIn } from './release-files.ts';
import type { PlannedPage } from './render/protocol.ts';
import { type RenderDeps, renderStale } from './render-stale.ts';
import { readShell } from './shell.ts';
import { createSiteIndex } from './site-index.ts';
import { createTraceWriter, type Trace } from './trace.ts';
import { renderVersion } from './version.ts';
import { BuildTimedOut, type BuildWatch } from './watch.ts';
import { summarizeWhy, type Why } from './why.ts';

export interface ProduceDeps extends RenderDeps {
  db: Db;
  objects: ObjectStore;
  threads: Pick<ThreadPool, 'run'>;
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

async function readSources(
  { objects, threads }: ProduceDeps,
  { inputs }: BuildTask,
  siteUrl: string,
  check: () => void,
): Promise<FileSources> {
  const shell = await readShell(inputs.shell, { objects, threads }, { key: inputs.site.id, check });
  const components = await loadComponents(inputs.components, objects, shell.assetPaths);
  return { index: createSiteIndex(inputs), siteUrl, shell, components };
}

function readValuesOf(
  { target }: BuildTask,
  { index, siteUrl, shell, components }: FileSources,
  pages: readonly PlannedPage[],
) {
  return createReadValues({
    index,
    siteUrl,
    assetPaths: shell.assetPaths,
    target,
    componentFiles: componentFiles(components),
    planned: new Map(pages.map((page) => [page.plan.path, page])),
  });
}

/**
 * Stores what the build generated and pins the stored objects that it uses; returns the place of each file by its hash.
 */
async function storeFiles({ db, objects }: ProduceDeps, { inputs }: BuildTask, store: PageStore, files: ReleaseFile[]) {
  const made = await store.finish(files.flatMap(({ data }) => data ?? []));
  const places = new Map<string, HashedPlace>(made.map((place) => [place.hash, place]));
  const taken = [...files.map(({ hash }) => hash), ...inputs.components.map(({ compiled_hash }) => compiled_hash)];
  const pinned = await objects.pin(
    db,
    taken.filter((hash) => !places.has(hash)),
  );
  for (const [hash, place] of pinned) places.set(hash, place);
  return places;
}

/** Returns the pages to count, without feeds and 404 pages. */
function pagePaths(pages: readonly PlannedPage[]): Set<string> {
  const counted = pages.filter(({ plan }) => plan.kind !== 'feed' && plan.kind !== 'not_found');
  return new Set(counted.map(({ plan }) => plan.path));
}

/** Counts the pages that differ from the replaced release: changed, new or removed. */
function countChanged(paths: ReadonlySet<string>, manifest: Manifest, base: BaseRelease | undefined): number {
  const differs = [...paths].filter((path) => manifest.files[path]![0] !== base?.manifest.files[path]?.[0]).length;
  const gone = Object.keys(base?.trace.pages ?? {}).filter((path) => path.endsWith('/') && !paths.has(path)).length;
  return differs + gone;
}

function writeTrace(
  pages: readonly PlannedPage[],
  choice: Choice,
  { reads }: PageStore,
  readValue: (key: string) => string,
): Trace & { why: Why } {
  const writer = createTraceWriter(renderVersion, readValue);
  for (const { plan } of pages) {
    const made = reads.get(plan.path);
    if (made) writer.add(plan.path, made);
    else writer.copy(plan.path, choice.kept.get(plan.path)!.trace);
  }
  return { ...writer.trace, why: whyOf(choice) };
}

/** The parts of a manifest: rendered pages, reused pages, and files with their places. */
interface ManifestParts {
  sources: FileSources;
  pages: readonly PlannedPage[];
  choice: Choice;
  store: PageStore;
  files: readonly ReleaseFile[];
  places: ReadonlyMap<string, HashedPlace>;
}

function writeManifest(id: string, { sources, pages, choice, store, files, places }: ManifestParts): Manifest {
  const { index } = sources;
  const { site, redirects } = index.inputs;
  const writer = createManifestWriter(site.id, id, site.default_locale);
  for (const { plan } of pages) {
    const page = store.pages.get(plan.path);
    if (page) writer.add(plan.path, page.place, page.type, page.policy);
    else writer.copy(plan.path, choice.kept.get(plan.path)!.manifest);
  }
  for (const { path, hash, type } of files) writer.add(path, places.get(hash)!, type, null);
  writer.manifest.redirects = flattenRedirects(redirects);
  writer.manifest.not_found = notFoundPages(index);
  return writer.manifest;
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
  const { objects } = deps;
  const { inputs, replaces } = task;
  const id = randomUUID();
  const sources = await readSources(deps, task, siteUrl, watch.check);
  const pages = assignTemplates(planPages(sources.index), sources.shell.templates);
  const readValue = readValuesOf(task, sources, pages);
  const choice = choosePages(pages, bases, replaces, readValue);
  const store = createPageStore(objects);
  const stale = choice.stale.map(({ page }) => page);
  try {
    await renderStale(deps, task, sources, stale, store, watch);
  } catch (error) {
    if (error instanceof BuildTimedOut)
      error.kept = await keepPages(objects, task, { pages, choice, store, readValue });
    throw error;
  }

  watch.report({ stage: 'store', done: 0, total: stale.length });
  const trace = writeTrace(pages, choice, store, readValue);
  const files = releaseFiles(sources, trace);
  const places = await storeFiles(deps, task, store, files);
  const manifest = writeManifest(id, { sources, pages, choice, store, files, places });
  const shownMedia = shownIn(trace, 'media');
  const documents = [manifest, trace, toStoredInputs(inputs, shownMedia)].map((one) =>
    Buffer.from(JSON.stringify(one)),
  );
  const [manifestPlace, tracePlace, inputsPlace] = await objects.putMany(documents);
  watch.check();

  const paths = pagePaths(pages);
  const pagePlaces = [...store.pages.values()].map(({ place }) => place);
  const referred = [...pagePlaces, ...places.values(), manifestPlace!, tracePlace!, inputsPlace!];
  return {
    base: { id, manifest, trace },
    pages: { rendered: stale.length, reused: choice.kept.size },
    reasons: Object.fromEntries(
      choice.stale.slice(0, reasonsLogged).map(({ page, reason }) => [page.plan.path, reason]),
    ),
    release: {
      id,
      manifestHash: manifestPlace!.hash,
      traceHash: tracePlace!.hash,
      inputsHash: inputsPlace!.hash,
      pages: paths.size,
      changed: countChanged(
        paths,
        manifest,
        bases.find(({ id: base }) => base === replaces),
      ),
      bytes: Object.values(manifest.files).reduce((sum, [, bytes]) => sum + bytes, 0),
      hashes: [...new Set([...referred.map(({ hash }) => hash), ...unpinnedHashes(choice)])],
      assets: files.filter(({ path }) => path.startsWith(assetsPrefix)),
      url: `${siteUrl}/`,
      why: summarizeWhy(trace.why, paths),
      awaitedMedia: inputs.media.filter((media) => shownMedia.has(media.id) && isInProgress(media)).map(({ id }) => id),
      warnings: findMissing(trace, pages),
    },
  };
}
