import { hashBytes } from '../engines/objects/store.ts';
import { cssReferences, rewriteCss } from './css.ts';
import { loadModuleLexer, moduleReferences, rewriteModule } from './modules.ts';

/** A style sheet or script of a shell; `names` are the new references to other files of the shell, by path of the target. */
export interface LinkText {
  path: string;
  data: Uint8Array;
  names?: ReadonlyMap<string, string>;
}

/** A file with replaced references; `data` is null if nothing changed. */
export interface RenamedText {
  hash: string;
  data: Uint8Array | null;
}

const isStyleSheet = (path: string) => /\.css$/i.test(path);

/** Returns the paths of the shell files that the text refers to or, with `names`, the text with replaced references. */
export default async function readLinks({ path, data, names }: LinkText): Promise<string[] | RenamedText> {
  await loadModuleLexer();
  const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('utf8');
  const [find, replace] = isStyleSheet(path) ? [cssReferences, rewriteCss] : [moduleReferences, rewriteModule];
  if (!names) return find(text, path);
  const renamed = replace(text, path, (target) => names.get(target) ?? null);
  if (renamed === text) return { hash: hashBytes(text), data: null };
  const bytes = Buffer.from(renamed);
  return { hash: hashBytes(bytes), data: bytes };
}
