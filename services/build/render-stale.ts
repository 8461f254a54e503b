import type { ObjectStore } from '../engines/objects/store.ts';
import type { BodyReader } from './bodies.ts';
import { componentParts } from './components.ts';
import { createPageFinisher } from './finish-page.ts';
import type { BuildTask } from './model.ts';
import type { PageStore } from './page-store.ts';
import type { FileSources } from './release-files.ts';
import type { PlannedPage, Renderer } from './render/protocol.ts';
import { renderPages } from './render-pages.ts';
import { createSourceFeed } from './source-feed.ts';
import type { BuildWatch } from './watch.ts';

export interface RenderDeps {
  renderer: Renderer;
  readBodies: BodyReader;
  objects: Pick<ObjectStore, 'getBytes'>;
}

/** Renders these pages in a sandbox process, finishes each and passes it to `store`. Throws a ContentFault. */
export async function renderStale(
  { renderer, readBodies, objects }: RenderDeps,
  { inputs, target }: BuildTask,
  { index, siteUrl, shell, components }: FileSources,
  pages: readonly PlannedPage[],
  store: PageStore,
  watch: BuildWatch,
): Promise<void> {
  if (pages.length === 0) return;
  const total = pages.length;
  watch.report({ stage: 'render', done: 0, total });
  const finish = createPageFinisher(inputs.scripts, shell.scripts, components);
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
    watch.signal,
  );
  try {
    await renderPages(
      session,
      pages,
      index,
      { readBodies, openSources: () => createSourceFeed(shell.templates, objects) },
      {
        onPage: (rendered, page) => store.add(finish(rendered, page)),
        async onBatch(done) {
          watch.check();
          watch.report({ stage: 'render', done, total });
          await store.flush();
        },
      },
    );
  } finally {
    session.close();
  }
}
