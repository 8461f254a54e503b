import type { ObjectStore } from '../engines/objects/store.ts';
import type { ThreadPool } from '../engines/threads/thread-pool.ts';
import { componentFiles, loadComponents } from './components.ts';
import type { BuildTask, ItemInput } from './model.ts';
import { createReadValues } from './reads.ts';
import type { FileSources } from './release-files.ts';
import type { Planned } from './render/protocol.ts';
import { readShell } from './shell.ts';
import { createSiteIndex } from './site-index.ts';

/** What the sources of a build are read from. */
export interface SourceDeps {
  objects: ObjectStore;
  threads: Pick<ThreadPool, 'run'>;
}

/** Reads what pages and files of a release are made from. `sorted`: the items, newest first. */
export async function readSources(
  { objects, threads }: SourceDeps,
  { inputs }: BuildTask,
  siteUrl: string,
  sorted: readonly ItemInput[],
  check: () => void,
): Promise<FileSources> {
  const shell = await readShell(inputs.shell, { objects, threads }, { key: inputs.site.id, check });
  const components = await loadComponents(inputs.components, objects, shell.assetPaths);
  return { index: createSiteIndex(inputs, sorted), siteUrl, shell, components };
}

/** Creates the function that returns the value of a read in this build. */
export function readValuesOf(
  { target }: BuildTask,
  { index, siteUrl, shell, components }: FileSources,
  planned: Planned,
): (key: string) => string {
  return createReadValues({
    index,
    siteUrl,
    assetPaths: shell.assetPaths,
    target,
    componentFiles: componentFiles(components),
    planned,
  });
}
