import { hashBytes } from '../../../engines/objects/store.ts';
import { assetsPrefix } from '../manifest.ts';
import { relativePath } from '../paths.ts';
import { cssReferences, rewriteCss } from './css.ts';
import type { ShellInput } from './model.ts';

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

export function isPublicAsset(path: string): boolean {
  return !path.endsWith('.twig') && path !== translationsFile;
}

function withCharset(type: string): string {
  return textTypes.test(type) && !type.includes('charset') ? `${type}; charset=utf-8` : type;
}

/** `css/style.css` under hash `1a2b3c4d…` is `/_assets/css/style.1a2b3c4d.css`. */
export function assetPath(source: string, hash: string): string {
  const dot = source.lastIndexOf('.');
  return `${assetsPrefix}${source.slice(0, dot)}.${hash.slice(0, 8)}${source.slice(dot)}`;
}

function plainAsset(file: ShellInput): Asset {
  const { path: source, hash, bytes } = file;
  return { source, path: assetPath(source, hash), hash, bytes, type: withCharset(file.content_type), data: null };
}

/**
 * Names the public files of a shell, by source path. Style sheets refer to others by hashed names, so they are read
 * (`readBytes`) and renamed after what they refer to; sheets that import each other in a circle keep the plain names there.
 */
export async function planAssets(
  shell: readonly ShellInput[],
  readBytes: (hash: string) => Promise<Buffer>,
): Promise<Map<string, Asset>> {
  const assets = new Map<string, Asset>();
  const sheets = new Map<string, { file: ShellInput; css: string; references: string[] }>();
  for (const file of shell.filter(({ path }) => isPublicAsset(path))) {
    if (!file.path.endsWith('.css')) {
      assets.set(file.path, plainAsset(file));
      continue;
    }
    const css = (await readBytes(file.hash)).toString('utf8');
    sheets.set(file.path, { file, css, references: cssReferences(css, file.path) });
  }

  const open = new Set<string>();
  function nameSheet(path: string): Asset | null {
    const named = assets.get(path);
    if (named) return named;
    const sheet = sheets.get(path);
    if (!sheet || open.has(path)) return null;
    open.add(path);
    for (const reference of sheet.references) nameSheet(reference);
    open.delete(path);
    const here = assetsPrefix + path;
    const css = rewriteCss(sheet.css, path, (target) => {
      const asset = assets.get(target);
      return asset ? relativePath(here, encodeURI(asset.path)) : null;
    });
    const plain = plainAsset(sheet.file);
    if (css !== sheet.css) {
      const data = Buffer.from(css);
      const hash = hashBytes(data);
      Object.assign(plain, { path: assetPath(path, hash), hash, bytes: data.length, data });
    }
    assets.set(path, plain);
    return plain;
  }
  for (const path of [...sheets.keys()].sort()) nameSheet(path);
  return assets;
}
