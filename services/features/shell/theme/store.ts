import type { App } from '../../app.ts';
import { contentTypeOf } from '../paths.ts';
import { checkTemplate, type ShellWarning } from '../template-check.ts';
import { findThemeFolder } from './folder.ts';
import type { ThemeFile } from './unpack.ts';

/** `replace`: the shell becomes the archive. `merge`: files that the archive lacks stay. */
export type ThemeMode = 'replace' | 'merge';

export interface StoredThemeFile {
  path: string;
  hash: string;
  bytes: number;
  content_type: string;
}

/** A theme whose bytes are in the object store: ready for the transaction. */
export interface StoredTheme {
  files: StoredThemeFile[];
  warnings: ShellWarning[];
}

const batchBytes = 8 * 1024 * 1024;
/** A theme of slow templates is not looked at for ever; builds say what is wrong with the rest. */
const checkBudgetMs = 15_000;

/** Stores files as they come, several at a time, so that no more than a few megabytes wait in memory. */
async function storeFiles(objects: App['objects'], source: AsyncIterable<ThemeFile>) {
  const files: StoredThemeFile[] = [];
  const templates: ThemeFile[] = [];
  let batch: ThemeFile[] = [];
  let bytes = 0;
  async function flush(): Promise<void> {
    const places = await objects.putMany(batch.map(({ data }) => data));
    for (const [index, { path, data }] of batch.entries())
      files.push({ path, hash: places[index]!.hash, bytes: data.length, content_type: contentTypeOf(path) });
    batch = [];
    bytes = 0;
  }
  for await (const file of source) {
    batch.push(file);
    bytes += file.data.length;
    if (file.path.toLowerCase().endsWith('.twig')) templates.push(file);
    if (bytes >= batchBytes) await flush();
  }
  if (batch.length > 0) await flush();
  return { files, templates };
}

async function checkTemplates(
  app: Pick<App, 'templates'>,
  key: string,
  templates: readonly ThemeFile[],
): Promise<ShellWarning[]> {
  const warnings: ShellWarning[] = [];
  const endsAt = performance.now() + checkBudgetMs;
  for (const [index, template] of templates.entries()) {
    if (performance.now() > endsAt) {
      const message = `${templates.length - index} templates were not checked, for the others took too long.`;
      return [...warnings, { code: 'templates_unchecked', message }];
    }
    warnings.push(...(await checkTemplate(app, key, template)));
  }
  return warnings;
}

/**
 * Takes in a whole theme: stores its bytes, leaves out the folder around it where the theme is to replace the shell, and
 * checks its templates. `key` is whose theme it is: checks of different keys take turns. Throws what `source` throws; the shell is
 * as it was then.
 */
export async function storeTheme(
  app: Pick<App, 'objects' | 'templates'>,
  key: string,
  source: AsyncIterable<ThemeFile>,
  mode: ThemeMode,
): Promise<StoredTheme> {
  const { files, templates } = await storeFiles(app.objects, source);
  const folder = mode === 'replace' ? findThemeFolder(files.map(({ path }) => path)) : '';
  for (const file of [...files, ...templates]) file.path = file.path.slice(folder.length);
  return { files, warnings: await checkTemplates(app, key, templates) };
}
