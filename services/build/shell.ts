import { LRUCache } from 'lru-cache';
import type { ObjectStore } from '../engines/objects/store.ts';
import { type Asset, isTemplate, planAssets, translationsFile } from './assets.ts';
import { hashSources, type ScriptSources, templateScripts } from './csp.ts';
import { createLinkReader, type LinkReaderDeps, type LinkReaderOptions } from './link-reader.ts';
import { ContentFault, type ShellInput } from './model.ts';

/** A Twig source of a shell. */
export type TemplateInput = Pick<ShellInput, 'hash' | 'bytes'>;

/** A shell in the form that a build uses. */
export interface Shell {
  /** Twig sources by path; their text is read when a page needs it. */
  templates: Record<string, TemplateInput>;
  /** Public files by path in the shell. */
  assets: Map<string, Asset>;
  /** Their public paths by path in the shell. */
  assetPaths: Map<string, string>;
  translations: Record<string, Record<string, unknown>>;
  /** Scripts in templates, which the pages may run. */
  scripts: ScriptSources;
}

function parseTranslations(text: string): Shell['translations'] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new ContentFault(`${translationsFile} is not JSON: ${(error as Error).message}`);
  }
  if (!parsed || typeof parsed !== 'object' || Array.isArray(parsed)) {
    throw new ContentFault(`${translationsFile} must be an object with one object of texts per locale.`);
  }
  const tables = Object.entries(parsed).filter(([, table]) => table && typeof table === 'object');
  return Object.fromEntries(tables) as Shell['translations'];
}

/** Maximum number of cached script hashes and URLs, about 10 MB. */
const maxKnownScripts = 100_000;
const knownScripts = new LRUCache<string, TemplateScripts>({
  maxSize: maxKnownScripts,
  sizeCalculation: ({ hashes, external }) => 1 + hashes.length + external.length,
});

interface TemplateScripts {
  hashes: string[];
  external: string[];
}

/**
 * Returns the scripts in the text of templates. One text at a time is in memory; it is read again only after a change.
 */
async function readScripts(templates: readonly TemplateInput[], readBytes: ReadText): Promise<ScriptSources> {
  const all: TemplateScripts = { hashes: [], external: [] };
  for (const { hash } of templates) {
    let found = knownScripts.get(hash);
    if (!found) {
      const { inline, external } = templateScripts((await readBytes(hash)).toString('utf8'));
      found = { hashes: hashSources(inline), external };
      knownScripts.set(hash, found);
    }
    for (const one of found.hashes) all.hashes.push(one);
    for (const one of found.external) all.external.push(one);
  }
  return { inline: [], ...all };
}

type ReadText = ObjectStore['getBytes'];

/** Reads what the build needs of a shell. Other files served unchanged are not read. Throws a ContentFault. */
export async function readShell(
  files: readonly ShellInput[],
  { objects, threads }: LinkReaderDeps,
  options: LinkReaderOptions,
): Promise<Shell> {
  const twig = files.filter(({ path }) => isTemplate(path));
  const translations = files.find(({ path }) => path === translationsFile);
  const assets = await planAssets(files, createLinkReader({ objects, threads }, options));
  return {
    templates: Object.fromEntries(twig.map(({ path, hash, bytes }) => [path, { hash, bytes }])),
    assets,
    assetPaths: new Map([...assets].map(([source, { path }]) => [source, path])),
    translations: translations ? parseTranslations((await objects.getBytes(translations.hash)).toString('utf8')) : {},
    scripts: await readScripts(twig, objects.getBytes),
  };
}
