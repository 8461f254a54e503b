import type { ObjectStore } from '../engines/objects/store.ts';
import type { BodyReader } from './bodies.ts';
import { componentParts } from './components.ts';
import { createPageFinisher } from './finish-page.ts';
import type { BuildTask } from './model.ts';
import type { PageStore } from './page-store.ts';
import type { FileSources } from './release-files.ts';
import type { PlannedPage, Renderer, RenderSession } from './render/protocol.ts';
import { type PageSources, renderPages } from './render-pages.ts';
import { createSourceFeed } from './source-feed.ts';
import type { BuildWatch } from './watch.ts';

export interface RenderDeps {
  renderer: Renderer;
  readBodies: BodyReader;
  objects: Pick<ObjectStore, 'getBytes'>;
}

/** The site of a build, open for rendering. */
export interface OpenSite {
  session: RenderSession;
  /** Where renderers get bodies and template sources. */
  pageSources: PageSources;
  /** Makes what visitors get of a rendered page. */
  finish: ReturnType<typeof createPageFinisher>;
}

/** Opens the site in a sandbox process. The caller closes the session. */
export function openSite(
  { renderer, readBodies, objects }: RenderDeps,
  { inputs, target }: BuildTask,
  { index, siteUrl, shell, components }: FileSources,
  signal: AbortSignal,
): OpenSite {
  const session = renderer.open(
    {
      // sorted, so that the renderer's index sorts them in one pass
      inputs: { ...inputs, items: index.items },
      siteUrl,
      assetPaths: [...shell.assetPaths],
      translations: shell.translations,
      templates: Object.fromEntries(Object.entries(shell.templates).map(([name, { hash }]) => [name, hash])),
      components: components.compiled,
      componentParts: componentParts(components),
      preview: target === 'preview',
    },
    signal,
  );
  return {
    session,
    pageSources: { readBodies, openSources: () => createSourceFeed(shell.templates, objects) },
    finish: createPageFinisher(inputs.scripts, shell.scripts, components),
  };
}

/** Renders these pages in a sandbox process, finishes each and passes it to `store`. Throws a ContentFault. */
export async function renderStale(
  deps: RenderDeps,
  task: BuildTask,
  sources: FileSources,
  pages: readonly PlannedPage[],
  store: PageStore,
  watch: BuildWatch,
): Promise<void> {
  if (pages.length === 0) return;
  const total = pages.length;
  watch.report({ stage: 'render', done: 0, total });
  const { session, pageSources, finish } = openSite(deps, task, sources, watch.signal);
  try {
    await renderPages(session, pages, sources.index, pageSources, {
      onPage: (rendered, page) => store.add(finish(rendered, page)),
      async onBatch(done) {
        watch.check();
        watch.report({ stage: 'render', done, total });
        await store.flush();
      },
    });
  } finally {
    session.close();
  }
}
