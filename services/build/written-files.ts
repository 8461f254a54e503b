import type { HashedPlace } from '../engines/objects/store.ts';
import type { BaseRelease } from './base-release.ts';
import type { Choice } from './choose.ts';
import type { ReleaseFile } from './generated-file.ts';
import type { WrittenPages } from './kept-pages.ts';
import { getManifestFile } from './manifest.ts';
import { hashAt, patchFiles, sumFiles } from './release-tree/manifest-tree.ts';
import { chunkAt, chunksOf } from './release-tree/tree.ts';
import type { Planned } from './render/protocol.ts';

/** Returns the files whose bytes or place the base does not have at their path. */
export function findNewFiles(files: readonly ReleaseFile[], base: BaseRelease | null): ReleaseFile[] {
  return files.filter(({ path, hash, type }) => {
    const chunk = base ? chunkAt(base.manifest.tree, path) : undefined;
    const known = chunk && getManifestFile(chunk, path);
    return known?.hash !== hash || known.type !== type;
  });
}

/** Returns the paths of the base that are neither pages nor files of the new release. */
function findRemovedFiles(
  planned: Planned,
  files: readonly ReleaseFile[],
  added: number,
  { base, removed }: Choice,
): Set<string> {
  if (!base) return removed;
  const expected = sumFiles(base.manifest.tree).files + added - removed.size;
  const kept = new Set(files.map(({ path }) => path));
  if (expected === planned.size + kept.size) return removed;
  const known = chunksOf(base.manifest.tree).flatMap((chunk) => Object.keys(chunk.files));
  return new Set(known.filter((path) => !planned.has(path) && !kept.has(path)));
}

interface ManifestParts {
  planned: Planned;
  choice: Choice;
  pages: WrittenPages;
  files: readonly ReleaseFile[];
  newFiles: readonly ReleaseFile[];
  places: ReadonlyMap<string, HashedPlace>;
}

/** Returns the files of the release: those of the base with what differs. */
export function writeFiles({ planned, choice, pages, files, newFiles, places }: ManifestParts) {
  const { base } = choice;
  const written = new Map(pages.files);
  for (const { path, hash, type } of newFiles) written.set(path, { place: places.get(hash)!, type, policy: null });
  const added = [...written.keys()].filter((path) => !base || hashAt(base.manifest, path) === undefined).length;
  return patchFiles(base?.manifest.tree ?? null, written, findRemovedFiles(planned, files, added, choice));
}
