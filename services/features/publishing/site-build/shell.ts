import type { ObjectStore } from '../../../engines/objects/store.ts';
import { type Asset, isTemplate, planAssets, translationsFile } from './assets.ts';
import { type ScriptSources, templateScripts } from './csp.ts';
import { ContentFault, type ShellInput } from './model.ts';

/** A shell as a build uses it. */
export interface Shell {
  /** Twig sources by path. */
  templates: Record<string, string>;
  /** Public files by path in the shell. */
  assets: Map<string, Asset>;
  /** Their public paths by path in the shell. */
  assetPaths: Map<string, string>;
  translations: Record<string, Record<string, unknown>>;
  /** Scripts that stand in templates: the pages may run them. */
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

/** Reads what the build needs of a shell; files that visitors fetch as they are stay where they are. */
export async function readShell(files: readonly ShellInput[], objects: Pick<ObjectStore, 'getBytes'>): Promise<Shell> {
  const twig = files.filter(({ path }) => isTemplate(path));
  const texts = await Promise.all(twig.map(async ({ hash }) => (await objects.getBytes(hash)).toString('utf8')));
  const templates = Object.fromEntries(twig.map(({ path }, n) => [path, texts[n]!]));
  const translations = files.find(({ path }) => path === translationsFile);
  const scripts = texts.map(templateScripts);
  const assets = await planAssets(files, objects.getBytes);
  return {
    templates,
    assets,
    assetPaths: new Map([...assets].map(([source, { path }]) => [source, path])),
    translations: translations ? parseTranslations((await objects.getBytes(translations.hash)).toString('utf8')) : {},
    scripts: { inline: scripts.flatMap(({ inline }) => inline), external: scripts.flatMap(({ external }) => external) },
  };
}
