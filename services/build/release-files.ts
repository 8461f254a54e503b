import { hashBytes } from '../engines/objects/store.ts';
import { type ScriptFile, type SiteComponents, scriptFiles, scriptType } from './components.ts';
import { crawlerFiles } from './map-files.ts';
import { mediaFiles, type PublicFile } from './picture.ts';
import type { Shell } from './shell.ts';
import type { SiteIndex } from './site-index.ts';
import type { Trace } from './trace.ts';

/** A file of a release that is no page. `data`: bytes that the build has made; null when they are stored already. */
export interface ReleaseFile extends PublicFile {
  data: Buffer | null;
}

/** Media items or components that pages of a trace show. */
export function shownIn(trace: Trace, kind: 'media' | 'component'): Set<string> {
  const prefix = `${kind}:`;
  return new Set(trace.keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length)));
}

function shellFiles({ assets }: Shell): ReleaseFile[] {
  const files = [...assets.values()].map(({ path, hash, bytes, type }) => ({ path, hash, bytes, type, data: null }));
  const favicon = assets.get('favicon.ico');
  return favicon ? [...files, { ...favicon, path: '/favicon.ico', data: null }] : files;
}

const madeFile = (path: string, data: Buffer, type: string, hash = hashBytes(data)): ReleaseFile => ({
  path,
  hash,
  bytes: data.length,
  type,
  data,
});

export interface FileSources {
  index: SiteIndex;
  siteUrl: string;
  shell: Shell;
  components: SiteComponents;
}

/** Everything beside the pages that visitors and crawlers can ask for: of media and components only what pages show. */
export function releaseFiles({ index, siteUrl, shell, components }: FileSources, trace: Trace): ReleaseFile[] {
  const media = [...shownIn(trace, 'media')].flatMap((id) => index.mediaById(id) ?? []);
  const scripts = scriptFiles(components, shownIn(trace, 'component'));
  const all: ReleaseFile[] = [
    ...crawlerFiles(index, siteUrl).map(({ path, data, type }) => madeFile(path, data, type)),
    ...shellFiles(shell),
    ...media.flatMap(mediaFiles).map((file) => ({ ...file, data: null })),
    ...scripts.map(({ path, data, hash }: ScriptFile) => madeFile(path, data, scriptType, hash)),
  ];
  return [...new Map(all.map((file) => [file.path, file])).values()];
}
