import type { HashedPlace } from '../engines/objects/store.ts';
import type { FileEntry, Manifest } from './manifest.ts';

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

/** The numbers that the strings of an earlier manifest have in this one plus one; 0: not in this one yet. */
interface Translated {
  packs: Int32Array;
  types: Int32Array;
  policies: Int32Array;
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

  const translated = new Map<Manifest, Translated>();

  function translationOf(from: Manifest): Translated {
    let numbers = translated.get(from);
    if (!numbers) {
      const [packs, types, policies] = [from.packs, from.types, from.policies].map(
        ({ length }) => new Int32Array(length),
      );
      numbers = { packs: packs!, types: types!, policies: policies! };
      translated.set(from, numbers);
    }
    return numbers;
  }

  /** Returns the number that a string of an earlier manifest has in this one. */
  function translate(numbers: Int32Array, list: readonly string[], index: number, numberOf: (text: string) => number) {
    if (numbers[index] === 0) numbers[index] = numberOf(list[index]!) + 1;
    return numbers[index]! - 1;
  }

  return {
    manifest,
    add,
    /**
     * Copies a file from an earlier release; entries whose numbers agree are shared. Throws if that release does not have
     * the file.
     */
    copy(path: string, from: Manifest): void {
      const entry = Object.hasOwn(from.files, path) ? from.files[path] : undefined;
      if (!entry) throw new Error(`The earlier release has no file ${path}.`);
      const [hash, bytes, oldType, oldPack, offset, oldPolicy] = entry;
      const numbers = translationOf(from);
      const type = translate(numbers.types, from.types, oldType, typeNumber);
      const pack = translate(numbers.packs, from.packs, oldPack, packNumber);
      const policy = oldPolicy < 0 ? -1 : translate(numbers.policies, from.policies, oldPolicy, policyNumber);
      const isSame = type === oldType && pack === oldPack && policy === oldPolicy;
      manifest.files[path] = isSame ? entry : [hash, bytes, type, pack, offset, policy];
    },
  };
}
