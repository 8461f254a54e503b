import type { ObjectStore } from '../../engines/objects/store.ts';
import { assignTemplates } from '../choose.ts';
import { type ReadBytes, readDocument } from '../documents.ts';
import { readSources, readValuesOf, type SourceDeps } from '../file-sources.ts';
import type { BuildInputs, BuildTask, ItemInput } from '../model.ts';
import { planPages } from '../pages.ts';
import type { PlannedPage } from '../render/protocol.ts';
import { renderVersion } from '../version.ts';
import type { DividedBuild } from './render-shards.ts';

/** The version of rendering and of the document below. A worker renders only shards of builds of its own version. */
export const shardVersion = `${renderVersion}.1`;

/** Items per part. */
const partItems = 2_000;
/** Parts per pack: about 8 MB. */
const partsAtOnce = 4;

/** What another worker needs to render pages of a build. Items are stored in parts, so that none is large. */
interface SharedBuild {
  task: Omit<BuildTask, 'inputs'> & { inputs: Omit<BuildInputs, 'items'> };
  siteUrl: string;
  shardPages: number;
  /** Hashes of the parts of the items, newest first. */
  items: string[];
  /** The pages to render, as runs of positions in the plan. */
  runs: [first: number, count: number][];
}

/** Returns the positions of `pages` in `all`, which are in the same order. */
function toRuns(all: Iterable<PlannedPage>, pages: readonly PlannedPage[]): SharedBuild['runs'] {
  const runs: SharedBuild['runs'] = [];
  let position = 0;
  let next = 0;
  for (const page of all) {
    if (page === pages[next]) {
      const last = runs.at(-1);
      if (last && last[0] + last[1] === position) last[1]++;
      else runs.push([position, 1]);
      next++;
    }
    position++;
  }
  return runs;
}

/** Stores what other workers need to render pages of a build. Returns the hash of the document; null once aborted. */
export async function shareBuild(
  objects: Pick<ObjectStore, 'putMany'>,
  { task, sources, planned, pages, shardPages }: DividedBuild,
  signal: AbortSignal,
): Promise<string | null> {
  const { items: sorted, inputs } = sources.index;
  const { items: _items, ...others } = inputs;
  const hashes: string[] = [];
  for (let start = 0; start < sorted.length; start += partItems * partsAtOnce) {
    if (signal.aborted) return null;
    const parts: Buffer[] = [];
    for (let part = start; part < Math.min(sorted.length, start + partItems * partsAtOnce); part += partItems)
      parts.push(Buffer.from(JSON.stringify(sorted.slice(part, part + partItems))));
    hashes.push(...(await objects.putMany(parts)).map(({ hash }) => hash));
  }
  if (signal.aborted) return null;
  const document: SharedBuild = {
    task: { target: task.target, replaces: task.replaces, inputs: others },
    siteUrl: sources.siteUrl,
    shardPages,
    items: hashes,
    runs: toRuns(planned.values(), pages),
  };
  const [place] = await objects.putMany([Buffer.from(JSON.stringify(document))]);
  return place!.hash;
}

async function readItems(objects: ReadBytes, hashes: readonly string[]): Promise<ItemInput[]> {
  const items: ItemInput[] = [];
  for (const hash of hashes) for (const item of await readDocument<ItemInput[]>(objects, hash)) items.push(item);
  return items;
}

/** Opens a build that another worker shares. Throws MissingObject. */
export async function openSharedBuild(deps: SourceDeps, hash: string, check: () => void): Promise<DividedBuild> {
  const { task: shared, siteUrl, shardPages, items: parts, runs } = await readDocument<SharedBuild>(deps.objects, hash);
  const items = await readItems(deps.objects, parts);
  const task: BuildTask = { ...shared, inputs: { ...shared.inputs, items } };
  const sources = await readSources(deps, task, siteUrl, items, check);
  const planned = assignTemplates(planPages(sources.index), sources.shell.templates);
  const all = [...planned.values()];
  const pages = runs.flatMap(([first, count]) => all.slice(first, first + count));
  return { task, sources, planned, pages, shardPages, readValue: readValuesOf(task, sources, planned) };
}
