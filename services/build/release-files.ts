import { type ScriptFile, type SiteComponents, scriptFiles, scriptType } from './components.ts';
import { generatedFile, type ReleaseFile } from './generated-file.ts';
import { crawlerFiles, type Sitemap } from './map-files.ts';
import { mediaFiles } from './picture.ts';
import { chunksOf, type Tree } from './release-tree/tree.ts';
import type { Shell } from './shell.ts';
import type { SiteIndex } from './site-index.ts';
import type { TraceChunk } from './trace.ts';

const shownKinds = ['media', 'component'] as const;
type Shown = Record<(typeof shownKinds)[number], string[]>;

const known = new WeakMap<TraceChunk, Shown>();

/** Returns what the pages of a chunk show, which never changes. */
function shownInChunk(chunk: TraceChunk): Shown {
  let shown = known.get(chunk);
  if (!shown) {
    shown = { media: [], component: [] };
    for (const key of chunk.keys) {
      const kind = shownKinds.find((one) => key.startsWith(`${one}:`));
      if (kind) shown[kind].push(key.slice(kind.length + 1));
    }
    known.set(chunk, shown);
  }
  return shown;
}

/** Returns the ids of media items or handles of components shown on the pages of a trace, sorted. */
export function shownIn(tree: Tree<TraceChunk>, kind: keyof Shown): Set<string> {
  return new Set(
    chunksOf(tree)
      .flatMap((chunk) => shownInChunk(chunk)[kind])
      .sort(),
  );
}

function shellFiles({ assets }: Shell): ReleaseFile[] {
  const files = [...assets.values()].map(({ path, hash, bytes, type }) => ({ path, hash, bytes, type, data: null }));
  const favicon = assets.get('favicon.ico');
  return favicon ? [...files, { ...favicon, path: '/favicon.ico', data: null }] : files;
}

export interface FileSources {
  index: SiteIndex;
  siteUrl: string;
  shell: Shell;
  components: SiteComponents;
}

/**
 * Returns every file that visitors and crawlers can request besides pages; only media and components shown on pages.
 */
export function releaseFiles(
  { index, siteUrl, shell, components }: FileSources,
  trace: Tree<TraceChunk>,
  sitemap: Sitemap,
): ReleaseFile[] {
  const media = [...shownIn(trace, 'media')].flatMap((id) => index.mediaById(id) ?? []);
  const scripts = scriptFiles(components, shownIn(trace, 'component'));
  const all: ReleaseFile[] = [
    ...crawlerFiles(siteUrl, sitemap),
    ...shellFiles(shell),
    ...media.flatMap(mediaFiles).map((file) => ({ ...file, data: null })),
    ...scripts.map(({ path, data, hash }: ScriptFile) => generatedFile(path, data, scriptType, hash)),
  ];
  return [...new Map(all.map((file) => [file.path, file])).values()];
}
