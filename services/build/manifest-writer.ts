import type { HashedPlace } from '../engines/objects/store.ts';
import type { FileEntry, Manifest, ManifestChunk } from './manifest.ts';

function createTable(list: string[]) {
  const numbers = new Map<string, number>();
  return (text: string): number => {
    let index = numbers.get(text);
    if (index === undefined) {
      index = list.push(text) - 1;
      numbers.set(text, index);
    }
    return index;
  };
}

/** Creates a writer that collects files and stores repeated strings once. */
export function createChunkWriter() {
  const chunk: ManifestChunk = { packs: [], types: [], policies: [], files: {} };
  const packNumber = createTable(chunk.packs);
  const typeNumber = createTable(chunk.types);
  const policyNumber = createTable(chunk.policies);

  function add(path: string, place: HashedPlace, type: string, policy: string | null): void {
    const { hash, bytes, key, offset } = place;
    const entry: FileEntry = [
      hash,
      bytes,
      typeNumber(type),
      packNumber(key),
      offset,
      policy === null ? -1 : policyNumber(policy),
    ];
    chunk.files[path] = entry;
  }

  return {
    chunk,
    add,
    /** Copies a file from an earlier release. Throws if that release does not have the file. */
    copy(path: string, from: ManifestChunk | undefined): void {
      const entry = from && Object.hasOwn(from.files, path) ? from.files[path] : undefined;
      if (!entry) throw new Error(`The earlier release has no file ${path}.`);
      const [hash, bytes, type, pack, offset, policy] = entry;
      const place = { hash, bytes, key: from!.packs[pack]!, offset };
      add(path, place, from!.types[type]!, from!.policies[policy] ?? null);
    },
  };
}

/** Creates a writer of a manifest that is one document. */
export function createManifestWriter(site: string, release: string, defaultLocale: string) {
  const { chunk, add } = createChunkWriter();
  const head = { format: 1 as const, site, release, default_locale: defaultLocale };
  const manifest: Manifest = { ...head, ...chunk, redirects: {}, not_found: [] };
  return { manifest, add };
}
