import type { HashedPlace } from '../engines/objects/store.ts';
import { type FileEntry, getManifestFile, type Manifest } from './manifest.ts';

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

/** Creates a writer that collects the files of a manifest and stores repeated strings once. */
export function createManifestWriter(site: string, release: string, defaultLocale: string) {
  const manifest: Manifest = {
    format: 1,
    site,
    release,
    default_locale: defaultLocale,
    packs: [],
    types: [],
    policies: [],
    files: {},
    redirects: {},
    not_found: [],
  };
  const packNumber = createTable(manifest.packs);
  const typeNumber = createTable(manifest.types);
  const policyNumber = createTable(manifest.policies);

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
    manifest.files[path] = entry;
  }

  return {
    manifest,
    add,
    /** Copies a file from an earlier release. Throws if that release does not have it. */
    copy(path: string, from: Manifest): void {
      const file = getManifestFile(from, path);
      if (!file) throw new Error(`The earlier release has no file ${path}.`);
      add(path, file, file.type, file.csp);
    },
  };
}
