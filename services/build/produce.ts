import { randomUUID } from 'node:crypto';
import type { Db } from '../core/db.ts';
import type { HashedPlace, ObjectStore } from '../engines/objects/store.ts';
import type { BaseRelease } from './base-release.ts';
import { type Choice, choosePages, orderPages, whyOf } from './choose.ts';
import { componentFiles, loadComponents } from './components.ts';
import { storeInputs } from './inputs.ts';
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
import type { PageOrder } from './render/protocol.ts';
import { type RenderDeps, renderStale } from './render-stale.ts';
import { readShell } from './shell.ts';
import { createSiteIndex } from './site-index.ts';
import { createTraceWriter, readsOf, type Trace } from './trace.ts';
import { renderVersion } from './version.ts';
import { BuildTimedOut, type BuildWatch } from './watch.ts';
import { summarizeWhy, type Why } from './why.ts';

export interface ProduceDeps extends RenderDeps {
  db: Db;
  objects: ObjectStore;
}

export interface Produced {
  release: NewRelease;
  base: BaseRelease;
  /** Pages by where they came from. */
  pages: { rendered: number; reused: number };
  /** Why pages were rendered, for the log: at most a few. */
  reasons: Record<string, unknown>;
}

const reasonsLogged = 10;

async function readSources({ inputs }: BuildTask, objects: ObjectStore, siteUrl: string): Promise<FileSources> {
  const shell = await readShell(inputs.shell, objects);
  const components = await loadComponents(inputs.components, objects, shell.assetPaths);
  return { index: createSiteIndex(inputs), siteUrl, shell, components };
}

function readValuesOf(
  { target }: BuildTask,
  { index, siteUrl, shell, components }: FileSources,
  orders: readonly PageOrder[],
) {
  return createReadValues({
    index,
    siteUrl,
    assetPaths: shell.assetPaths,
    target,
    componentFiles: componentFiles(components),
    planned: new Map(orders.map((order) => [order.plan.path, order])),
  });
}

/** Stores what the build has made and pins what it takes from the store; answers the place of each file by its hash. */
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

/** Pages as people count them: not the feed, not what is shown where nothing is. */
function pagePaths(orders: readonly PageOrder[]): Set<string> {
  const counted = orders.filter(({ plan }) => plan.kind !== 'feed' && plan.kind !== 'not_found');
  return new Set(counted.map(({ plan }) => plan.path));
}

/** How many pages differ from the release that is replaced: changed, new or gone. */
function countChanged(paths: ReadonlySet<string>, manifest: Manifest, base: BaseRelease | undefined): number {
  const differs = [...paths].filter((path) => manifest.files[path]![0] !== base?.manifest.files[path]?.[0]).length;
  const gone = Object.keys(base?.trace.pages ?? {}).filter((path) => path.endsWith('/') && !paths.has(path)).length;
  return differs + gone;
}

function writeTrace(
  orders: readonly PageOrder[],
  choice: Choice,
  { reads }: PageStore,
  readValue: (key: string) => string,
): Trace & { why: Why } {
  const writer = createTraceWriter(renderVersion, readValue);
  for (const { plan } of orders) {
    writer.add(plan.path, reads.get(plan.path) ?? readsOf(choice.kept.get(plan.path)!.trace, plan.path));
  }
  return { ...writer.trace, why: whyOf(choice) };
}

/** What a manifest is made of: pages that were rendered and pages that an earlier release has, and files with their places. */
interface ManifestParts {
  sources: FileSources;
  orders: readonly PageOrder[];
  choice: Choice;
  store: PageStore;
  files: readonly ReleaseFile[];
  places: ReadonlyMap<string, HashedPlace>;
}

function writeManifest(id: string, { sources, orders, choice, store, files, places }: ManifestParts): Manifest {
  const { index } = sources;
  const { site, redirects } = index.inputs;
  const writer = createManifestWriter(site.id, id, site.default_locale);
  for (const { plan } of orders) {
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
 * Makes a release of a snapshot: renders what no earlier release has, stores what is not stored yet and writes the
 * manifest. Nothing becomes visible by it. Throws a ContentFault for what an author has to fix, and a BuildTimedOut that knows what
 * was finished when its time was over.
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
  const sources = await readSources(task, objects, siteUrl);
  const orders = orderPages(planPages(sources.index), sources.shell.templates);
  const readValue = readValuesOf(task, sources, orders);
  const choice = choosePages(orders, bases, replaces, readValue);
  const store = createPageStore(objects);
  const stale = choice.stale.map(({ order }) => order);
  try {
    await renderStale(deps, task, sources, stale, store, watch);
  } catch (error) {
    if (error instanceof BuildTimedOut)
      error.kept = await keepPages(objects, task, { orders, choice, store, readValue });
    throw error;
  }

  watch.report({ stage: 'store', done: 0, total: stale.length });
  const trace = writeTrace(orders, choice, store, readValue);
  const files = releaseFiles(sources, trace);
  const places = await storeFiles(deps, task, store, files);
  const manifest = writeManifest(id, { sources, orders, choice, store, files, places });
  const shownMedia = shownIn(trace, 'media');
  const documents = [manifest, trace, storeInputs(inputs, shownMedia)].map((one) => Buffer.from(JSON.stringify(one)));
  const [manifestPlace, tracePlace, inputsPlace] = await objects.putMany(documents);
  watch.check();

  const paths = pagePaths(orders);
  const pagePlaces = [...store.pages.values()].map(({ place }) => place);
  const referred = [...pagePlaces, ...places.values(), manifestPlace!, tracePlace!, inputsPlace!];
  return {
    base: { id, manifest, trace },
    pages: { rendered: stale.length, reused: choice.kept.size },
    reasons: Object.fromEntries(
      choice.stale.slice(0, reasonsLogged).map(({ order, reason }) => [order.plan.path, reason]),
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
      warnings: findMissing(trace, orders),
    },
  };
}
