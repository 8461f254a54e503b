import { relativePath } from '../core/public-paths.ts';
import { hashBytes } from '../engines/objects/store.ts';
import type { LinkReader } from './link-reader.ts';
import { assetsPrefix } from './manifest.ts';
import type { ShellInput } from './model.ts';
import { groupByReferences } from './reference-groups.ts';

/** A shell file as it is served to visitors. */
export interface Asset {
  /** Path inside the shell. */
  source: string;
  /** Public path, with the hash in the name. */
  path: string;
  hash: string;
  bytes: number;
  type: string;
}

/** Read by the build, not by visitors. */
export const translationsFile = 'translations.json';

const textTypes = /^(text\/|application\/(json|javascript|manifest)|image\/svg)/;

/** Returns whether a shell file is a Twig source. */
export function isTemplate(path: string): boolean {
  return /\.twig$/i.test(path);
}

function isPublicAsset(path: string): boolean {
  return !isTemplate(path) && path !== translationsFile;
}

function withCharset(type: string): string {
  return textTypes.test(type) && !type.includes('charset') ? `${type}; charset=utf-8` : type;
}

/**
 * Returns the public path: `css/style.css` with hash `1a2b3c4d…` is `/_assets/css/style.1a2b3c4d.css`. `?` and `#`,
 * which would end a URL path, are replaced.
 */
function assetPath(source: string, hash: string): string {
  const dot = source.lastIndexOf('.');
  return `${assetsPrefix}${source.slice(0, dot)}.${hash.slice(0, 8)}${source.slice(dot)}`.replaceAll(/[?#]/g, '_');
}

function plainAsset(file: ShellInput): Asset {
  const { path: source, hash, bytes } = file;
  return { source, path: assetPath(source, hash), hash, bytes, type: withCharset(file.content_type) };
}

/** A file that refers to other files by name, so its own bytes depend on their names. */
interface LinkedFile {
  file: ShellInput;
  /** Paths of public files of the shell. */
  targets: string[];
}

const isLinked = (path: string) => /\.(?:css|js)$/i.test(path);

type PathOf = (target: string) => string | undefined;

/** The URLs, relative to a file, that replace its references. */
function namesOf({ file, targets }: LinkedFile, pathOf: PathOf): Map<string, string> {
  const here = assetsPrefix + file.path;
  const names = new Map<string, string>();
  for (const target of targets) {
    const path = pathOf(target);
    if (path !== undefined) names.set(target, relativePath(here, encodeURI(path)));
  }
  return names;
}

/**
 * Names the public files of a shell; the result is keyed by source path. Style sheets and scripts refer to other files
 * by hashed names, so they are read (`links`), their references are rewritten, and the result is stored. Files in a
 * reference cycle are named together, from the bytes of all of them, because none of their final bytes can be computed
 * first. Throws a ContentFault.
 */
export async function planAssets(shell: readonly ShellInput[], links: LinkReader): Promise<Map<string, Asset>> {
  const files = shell.filter(({ path }) => isPublicAsset(path));
  const isPublic = new Set(files.map(({ path }) => path));
  const assets = new Map<string, Asset>();
  const linked = new Map<string, LinkedFile>();
  for (const file of files) {
    const found = isLinked(file.path) ? await links.findTargets(file) : [];
    const targets = found.filter((target) => isPublic.has(target));
    if (targets.length > 0) linked.set(file.path, { file, targets });
    else assets.set(file.path, plainAsset(file));
  }

  async function add(member: LinkedFile, pathOf: PathOf, name: string | null): Promise<void> {
    const { file } = member;
    const asset = plainAsset(file);
    const { hash, data } = await links.rename(file, namesOf(member, pathOf));
    if (data) {
      await links.store(data);
      Object.assign(asset, { path: assetPath(file.path, name ?? hash), hash, bytes: data.byteLength });
    }
    assets.set(file.path, asset);
  }

  /** Members of a cycle are named from the texts of all of them, with each other's names left as they are. */
  async function nameCircle(group: readonly LinkedFile[]): Promise<Map<string, string>> {
    const contents: [path: string, hash: string][] = [];
    for (const member of group) {
      const { hash } = await links.rename(
        member.file,
        namesOf(member, (target) => assets.get(target)?.path),
      );
      contents.push([member.file.path, hash]);
    }
    const seed = hashBytes(JSON.stringify(contents));
    return new Map(group.map(({ file: { path } }) => [path, hashBytes(seed + path)]));
  }

  const order = groupByReferences([...linked.keys()].sort(), (path) =>
    linked.get(path)!.targets.filter((target) => linked.has(target)),
  );
  for (const paths of order) {
    const group = paths.sort().map((path) => linked.get(path)!);
    const isCircle = group.length > 1 || group[0]!.targets.includes(paths[0]!);
    const names = isCircle ? await nameCircle(group) : new Map<string, string>();
    const pathOf = (target: string) =>
      names.has(target) ? assetPath(target, names.get(target)!) : assets.get(target)?.path;
    for (const member of group) await add(member, pathOf, names.get(member.file.path) ?? null);
  }
  await links.finish();
  return assets;
}
