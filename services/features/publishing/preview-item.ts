import type { ItemPreview, ItemPreviewInput } from '../../../workflows/contracts/item-preview.ts';
import {
  type BodyReader,
  type ItemReader,
  itemOfRow,
  produceRelease,
  type Renderer,
  readPinnedWith,
} from '../../build/index.ts';
import { invalid, notFound } from '../../core/errors.ts';
import { itemPath, siteUrl } from '../../core/public-paths.ts';
import { noUser } from '../../core/roles.ts';
import { mayWriteChunks } from '../../engines/edges/registry.ts';
import { withHeldObjects } from '../../engines/objects/held-objects.ts';
import type { App } from '../app.ts';
import { loadBody, prepareDraft, readAsPublished } from '../content/index.ts';
import { selectSiteById } from '../sites/index.ts';
import { insertRelease } from './finish.ts';
import { explainPreviewFault, watchPreview } from './preview-limits.ts';
import type { ReleaseReader } from './release-cache.ts';
import { readInputs } from './release-inputs.ts';

type Engines = Pick<App, 'db' | 'objects' | 'config' | 'bodies' | 'fieldChecks'> & {
  threads: Pick<App['threads'], 'run'>;
};

/** The parts that all builds of a worker share. */
export interface PreviewParts {
  renderer: Renderer;
  items: ItemReader;
  releases: ReleaseReader;
  readBodies: BodyReader;
}

/**
 * Returns a function that renders one item as it would be published now, with its pending draft, into a new release that only a preview
 * link refers to. Pages that do not show the item are reused from the live release. It throws `not_found`, `validation_failed` if the
 * page or the draft has a fault, and `unavailable`.
 */
export function createItemPreviewer(
  { db, objects, threads, config, bodies, fieldChecks }: Engines,
  { items, releases, readBodies, renderer }: PreviewParts,
) {
  async function readSources({ siteId, contentId }: ItemPreviewInput) {
    const prepareScope = { app: { objects, bodies, fieldChecks }, db, site: { id: siteId }, key: siteId };
    const checked = await prepareDraft(prepareScope, contentId);
    return withHeldObjects(objects, (held) =>
      db.transaction(async (tx) => {
        const site = await selectSiteById(tx, siteId);
        if (!site) throw notFound('site');
        const scope = { app: { objects, config }, db: tx, site, changedBy: 'preview', writer: noUser };
        const row = await readAsPublished(scope, contentId, checked);
        if (!site.locales.some(({ locale }) => locale === row.locale))
          throw invalid([{ path: 'locale', message: `the site has no locale ${row.locale}` }]);
        const live = site.live_release ? await readInputs(tx, held, site.live_release) : null;
        return { site, row, inputs: await readPinnedWith(tx, site, items, live, itemOfRow(row)) };
      }),
    );
  }

  async function produce(input: ItemPreviewInput, signal: AbortSignal) {
    const { site, row, inputs } = await readSources(input);
    const body = await loadBody(objects, row);
    const readWithBody: BodyReader = async (wanted, maxCharacters) => {
      const others = wanted.filter(({ id }) => id !== row.id);
      return (await readBodies(others, maxCharacters)).set(row.id, body);
    };
    const live = site.live_release && (await releases.read(site.live_release));
    const task = { target: 'preview' as const, inputs, replaces: site.live_release };
    const writesChunks = () => mayWriteChunks(db);
    const deps = { db, objects, threads, renderer, readBodies: readWithBody, writesChunks, lost: releases.lost };
    const url = siteUrl(inputs.site, config);
    return { inputs, row, made: await produceRelease(deps, task, live ? [live] : [], url, watchPreview(signal)) };
  }

  return async function previewItem(input: ItemPreviewInput, signal: AbortSignal): Promise<ItemPreview> {
    const { inputs, row, made } = await produce(input, signal).catch((error: unknown) => {
      throw explainPreviewFault(error);
    });
    const { release } = made;
    await db.transaction((tx) => insertRelease(tx, objects, { siteId: input.siteId, preview: true }, release));
    return { release: release.id, path: itemPath(row, inputs.site) };
  };
}
