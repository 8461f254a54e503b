import { LRUCache } from 'lru-cache';
import { relativePath } from '../core/public-paths.ts';
import { hashBytes } from '../engines/objects/store.ts';
import { cssReferences, rewriteCss } from './css.ts';
import { assetsPrefix } from './manifest.ts';
import type { ShellInput } from './model.ts';
import { loadModuleLexer, moduleReferences, rewriteModule } from './modules.ts';
import { groupByReferences } from './reference-groups.ts';

/** A shell file as visitors fetch it. */
export interface Asset {
  /** Its path inside the shell. */
  source: string;
  /** Its public path, with the hash in the name. */
  path: string;
  hash: string;
  bytes: number;
  type: string;
  /** Bytes that the build made (a style sheet whose references were renamed); null when they are stored as they are. */
  data: Buffer | null;
}

/** Read by the build, not by visitors. */
export const translationsFile = 'translations.json';

const textTypes = /^(text\/|application\/(json|javascript|manifest)|image\/svg)/;

/** Whether a file of a shell is a Twig source. */
export function isTemplate(path: string): boolean {
  return /\.twig$/i.test(path);
}

function isPublicAsset(path: string): boolean {
  return !isTemplate(path) && path !== translationsFile;
}

function withCharset(type: string): string {
  return textTypes.test(type) && !type.includes('charset') ? `${type}; charset=utf-8` : type;
}

/** `css/style.css` under hash `1a2b3c4d…` is `/_assets/css/style.1a2b3c4d.css`; what would end a path in an address is replaced. */
function assetPath(source: string, hash: string): string {
  const dot = source.lastIndexOf('.');
  return `${assetsPrefix}${source.slice(0, dot)}.${hash.slice(0, 8)}${source.slice(dot)}`.replaceAll(/[?#]/g, '_');
}

function plainAsset(file: ShellInput): Asset {
  const { path: source, hash, bytes } = file;
  return { source, path: assetPath(source, hash), hash, bytes, type: withCharset(file.content_type), data: null };
}

const isStyleSheet = (path: string) => /\.css$/i.test(path);

/** A file that refers to others by name, so that its own bytes depend on theirs. */
interface LinkedFile {
  file: ShellInput;
  text: string;
  targets: string[];
  rewrite(rename: (target: string) => string | null): string;
}

function readLinks(file: ShellInput, text: string): LinkedFile {
  const [find, replace] = isStyleSheet(file.path) ? [cssReferences, rewriteCss] : [moduleReferences, rewriteModule];
  return {
    file,
    text,
    targets: find(text, file.path),
    rewrite: (rename) => replace(text, file.path, rename),
  };
}

const isLinked = (path: string) => /\.(?:css|js)$/i.test(path);

/** Files that are known to refer to none: a large script need not be fetched for every build. */
const unlinked = new LRUCache<string, true>({ max: 10_000 });
const unlinkedKey = ({ path, hash }: ShellInput) => path.slice(path.lastIndexOf('.')) + hash;

/**
 * Names the public files of a shell, by source path. Style sheets and scripts refer to others by hashed names, so they are
 * read (`readBytes`) and renamed after what they refer to. Files that refer to each other in a circle are named together,
 * after the bytes of all of them, since none of their final bytes can be known first.
 */
export async function planAssets(
  shell: readonly ShellInput[],
  readBytes: (hash: string) => Promise<Buffer>,
): Promise<Map<string, Asset>> {
  await loadModuleLexer();
  const assets = new Map<string, Asset>();
  const linked = new Map<string, LinkedFile>();
  for (const file of shell.filter(({ path }) => isPublicAsset(path))) {
    const links =
      isLinked(file.path) && !unlinked.has(unlinkedKey(file))
        ? readLinks(file, (await readBytes(file.hash)).toString('utf8'))
        : null;
    if (links && links.targets.length > 0) linked.set(file.path, links);
    else assets.set(file.path, plainAsset(file));
    if (links?.targets.length === 0) unlinked.set(unlinkedKey(file), true);
  }

  /** The file's text with the names that `pathOf` knows. */
  function rewrite({ file, rewrite: replace }: LinkedFile, pathOf: (target: string) => string | undefined): string {
    const here = assetsPrefix + file.path;
    return replace((target) => {
      const path = pathOf(target);
      return path === undefined ? null : relativePath(here, encodeURI(path));
    });
  }

  function add({ file, text }: LinkedFile, rewritten: string, name: string | null): void {
    const asset = plainAsset(file);
    if (rewritten !== text) {
      const data = Buffer.from(rewritten);
      const hash = hashBytes(data);
      Object.assign(asset, { path: assetPath(file.path, name ?? hash), hash, bytes: data.length, data });
    }
    assets.set(file.path, asset);
  }

  const order = groupByReferences([...linked.keys()].sort(), (path) =>
    linked.get(path)!.targets.filter((target) => linked.has(target)),
  );
  for (const paths of order) {
    const group = paths.sort().map((path) => linked.get(path)!);
    const known = group.map((member) => rewrite(member, (target) => assets.get(target)?.path));
    if (group.length === 1 && !group[0]!.targets.includes(paths[0]!)) {
      add(group[0]!, known[0]!, null);
      continue;
    }
    const seed = hashBytes(JSON.stringify(paths.map((path, n) => [path, known[n]])));
    const names = new Map(paths.map((path) => [path, hashBytes(seed + path)]));
    const pathOf = (target: string) =>
      names.has(target) ? assetPath(target, names.get(target)!) : assets.get(target)?.path;
    for (const member of group) add(member, rewrite(member, pathOf), names.get(member.file.path)!);
  }
  return assets;
}
