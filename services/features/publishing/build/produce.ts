import { randomUUID } from 'node:crypto';
import type { Db } from '../../../core/db.ts';
import { type HashedPlace, hashBytes, type ObjectStore } from '../../../engines/objects/store.ts';
import type { Claim } from '../claim.ts';
import type { NewRelease } from '../finish.ts';
import { assetsPrefix, type Manifest } from '../manifest.ts';
import type { Progress } from '../progress.ts';
import type { BodyReader } from './bodies.ts';
import { choosePages, orderPages } from './choose.ts';
import {
  componentFiles,
  loadComponents,
  type ScriptFile,
  type SiteComponents,
  scriptFiles,
  scriptType,
} from './components.ts';
import { type FinishedPage, finishPage } from './finish-page.ts';
import { storeInputs } from './inputs.ts';
import { createManifestWriter } from './manifest-writer.ts';
import { crawlerFiles, notFoundPages } from './map-files.ts';
import { isInProgress } from './media-progress.ts';
import { findMissing } from './missing.ts';
import { planPages } from './pages.ts';
import { mediaFiles, type PublicFile } from './picture.ts';
import { createReadValues } from './reads.ts';
import { flattenRedirects } from './redirects.ts';
import type { BaseRelease } from './release-cache.ts';
import type { PageOrder, Renderer, RenderSnapshot } from './render/protocol.ts';
import { renderPages } from './render-pages.ts';
import { readShell, type Shell } from './shell.ts';
import { createSiteIndex, type SiteIndex } from './site-index.ts';
import { createTraceWriter, readsOf, type Trace } from './trace.ts';
import { renderVersion } from './version.ts';

export interface ProduceDeps {
  db: Db;
  objects: ObjectStore;
  renderer: Renderer;
  readBodies: BodyReader;
}

export interface BuildWatch {
  report(progress: Progress): void;
  /** Throws when the build is to stop: cancelled, or another one has taken its place. */
  check(): void;
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

async function renderStale(
  { renderer, readBodies }: ProduceDeps,
  claim: Claim,
  orders: readonly PageOrder[],
  shell: Shell,
  components: SiteComponents,
  index: SiteIndex,
  siteUrl: string,
  watch: BuildWatch,
): Promise<FinishedPage[]> {
  if (orders.length === 0) return [];
  const total = orders.length;
  watch.report({ stage: 'render', done: 0, total });
  const snapshot: RenderSnapshot = {
    inputs: claim.inputs,
    siteUrl,
    assetPaths: [...shell.assets].map(([source, asset]) => [source, asset.path]),
    translations: shell.translations,
    templates: shell.templates,
    components: components.compiled,
    preview: claim.target === 'preview',
  };
  const session = await renderer.open(snapshot);
  const pages: FinishedPage[] = [];
  try {
    const onBatch = (done: number) => {
      watch.check();
      watch.report({ stage: 'render', done, total });
    };
    await renderPages(
      session,
      orders,
      index,
      readBodies,
      (page, order) => pages.push(finishPage(page, order, claim.inputs.scripts, shell.scripts, components)),
      onBatch,
    );
  } finally {
    session.close();
  }
  return pages;
}

/** Media items or components that pages of a trace show. */
function shown(kind: 'media' | 'component', trace: Trace): Set<string> {
  const prefix = `${kind}:`;
  return new Set(trace.keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length)));
}

/** Files beside pages that get a public name in this release. */
function publicFiles(shell: Shell, index: SiteIndex, scripts: readonly ScriptFile[], trace: Trace): PublicFile[] {
  const files = new Map<string, PublicFile>();
  for (const { path, hash, bytes, type } of shell.assets.values()) files.set(path, { path, hash, bytes, type });
  const favicon = shell.assets.get('favicon.ico');
  if (favicon) files.set('/favicon.ico', { ...favicon, path: '/favicon.ico' });
  for (const id of shown('media', trace)) {
    const media = index.mediaById(id);
    if (media) for (const file of mediaFiles(media)) files.set(file.path, file);
  }
  for (const { path, hash, data } of scripts) files.set(path, { path, hash, bytes: data.length, type: scriptType });
  return [...files.values()];
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

/**
 * Makes a release of a claimed snapshot: renders what no earlier release has, stores what is not stored yet and writes the
 * manifest. Nothing becomes visible by it. Throws a ContentFault for what an author has to mend.
 */
export async function produceRelease(
  deps: ProduceDeps,
  claim: Claim,
  bases: readonly BaseRelease[],
  siteUrl: string,
  watch: BuildWatch,
): Promise<Produced> {
  const { objects, db } = deps;
  const { inputs, site, target } = claim;
  const replaced = target === 'live' ? site.live_release : site.preview_release;
  const id = randomUUID();
  const shell = await readShell(inputs.shell, objects);
  const index = createSiteIndex(inputs);
  const orders = orderPages(planPages(index), shell.templates);
  const planned = new Map(orders.map((order) => [order.plan.path, order]));
  const assetPaths = new Map([...shell.assets].map(([source, asset]) => [source, asset.path]));
  const components = await loadComponents(inputs.components, objects, assetPaths);
  const readValue = createReadValues({
    index,
    siteUrl,
    assetPaths,
    target,
    componentFiles: componentFiles(components),
    planned,
  });
  const { kept, stale } = choosePages(orders, bases, readValue);
  const fresh = new Map(
    (
      await renderStale(
        deps,
        claim,
        stale.map(({ order }) => order),
        shell,
        components,
        index,
        siteUrl,
        watch,
      )
    ).map((page) => [page.path, page]),
  );

  const traceWriter = createTraceWriter(renderVersion, readValue);
  for (const { plan } of orders) {
    traceWriter.add(plan.path, fresh.get(plan.path)?.reads ?? readsOf(kept.get(plan.path)!.trace, plan.path));
  }
  const { trace } = traceWriter;

  watch.report({ stage: 'store', done: 0, total: fresh.size });
  const crawlers = crawlerFiles(index, siteUrl);
  const renamed = [...shell.assets.values()].flatMap(({ data }) => data ?? []);
  const scripts = scriptFiles(components, shown('component', trace));
  const made = await objects.putMany([
    ...[...fresh.values()].map(({ data }) => data),
    ...crawlers.map(({ data }) => data),
    ...renamed,
    ...scripts.map(({ data }) => data),
  ]);
  const madePlaces = new Map(made.map((place) => [place.hash, place]));
  const shownMedia = shown('media', trace);
  const stored = publicFiles(shell, index, scripts, trace);
  const storedPlaces = await objects.pin(
    db,
    [...stored.map(({ hash }) => hash), ...inputs.components.map((component) => component.compiled_hash)].filter(
      (hash) => !madePlaces.has(hash),
    ),
  );
  const placeOf = (hash: string): HashedPlace => madePlaces.get(hash) ?? storedPlaces.get(hash)!;

  const writer = createManifestWriter(inputs.site.id, id, inputs.site.default_locale);
  for (const { plan } of orders) {
    const page = fresh.get(plan.path);
    if (page) writer.add(page.path, placeOf(hashBytes(page.data)), page.type, page.policy);
    else writer.copy(plan.path, kept.get(plan.path)!.manifest);
  }
  for (const { path, data, type } of crawlers) writer.add(path, placeOf(hashBytes(data)), type, null);
  for (const { path, hash, type } of stored) writer.add(path, placeOf(hash), type, null);
  const { manifest } = writer;
  manifest.redirects = flattenRedirects(inputs.redirects);
  manifest.not_found = notFoundPages(index);

  const records = [manifest, trace, storeInputs(inputs, shownMedia)].map((record) =>
    Buffer.from(JSON.stringify(record)),
  );
  const [manifestPlace, tracePlace, inputsPlace] = await objects.putMany(records);
  watch.check();
  const paths = pagePaths(orders);
  const reasons = Object.fromEntries(
    stale.slice(0, reasonsLogged).map(({ order, reason }) => [order.plan.path, reason]),
  );
  return {
    base: { id, manifest, trace },
    pages: { rendered: fresh.size, reused: kept.size },
    reasons,
    release: {
      id,
      manifestHash: manifestPlace!.hash,
      traceHash: tracePlace!.hash,
      inputsHash: inputsPlace!.hash,
      pages: paths.size,
      changed: countChanged(
        paths,
        manifest,
        bases.find(({ id: base }) => base === replaced),
      ),
      bytes: Object.values(manifest.files).reduce((sum, [, bytes]) => sum + bytes, 0),
      hashes: [
        ...new Set([...made, manifestPlace!, tracePlace!, inputsPlace!].map(({ hash }) => hash)),
        ...storedPlaces.keys(),
      ],
      assets: stored.filter(({ path }) => path.startsWith(assetsPrefix)),
      url: `${siteUrl}/`,
      awaitedMedia: inputs.media.filter((media) => shownMedia.has(media.id) && isInProgress(media)).map(({ id }) => id),
      warnings: findMissing(trace, orders),
    },
  };
}
