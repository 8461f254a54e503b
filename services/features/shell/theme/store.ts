import type { App } from '../../app.ts';
import { contentTypeOf } from '../paths.ts';
import { checkTemplate, type ShellWarning } from '../template-check.ts';
import { badArchive } from './entry.ts';
import { findThemeFolder } from './folder.ts';
import type { ThemeFile } from './unpack.ts';

/** `replace`: the shell becomes the archive. `merge`: files missing in the archive stay. */
export type ThemeMode = 'replace' | 'merge';

export interface StoredThemeFile {
  path: string;
  hash: string;
  bytes: number;
  content_type: string;
}

/** A theme whose bytes are in the object store, ready for the transaction. */
export interface StoredTheme {
  files: StoredThemeFile[];
  warnings: ShellWarning[];
}

const batchBytes = 8 * 1024 * 1024;
/** Time limit for checking templates; builds report the errors of the rest. */
const checkBudgetMs = 15_000;

/** Stores files in batches as they arrive, so that only a few megabytes are in memory. */
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
      const message = `${templates.length - index} templates were not checked, because the others took too long.`;
      return [...warnings, { code: 'templates_unchecked', message }];
    }
    warnings.push(...(await checkTemplate(app, key, template)));
  }
  return warnings;
}

/**
 * Stores the bytes of a whole theme and checks its templates. If it replaces the shell, the folder around it is
 * removed. The queue for checks is fair between the `key`s. Throws what `source` throws, and 422 for a theme without
 * files unless `mayBeEmpty`; the shell is not changed.
 */
export async function storeTheme(
  app: Pick<App, 'objects' | 'templates'>,
  key: string,
  source: AsyncIterable<ThemeFile>,
  mode: ThemeMode,
  { mayBeEmpty = false }: { mayBeEmpty?: boolean } = {},
): Promise<StoredTheme> {
  const { files, templates } = await storeFiles(app.objects, source);
  if (files.length === 0 && !mayBeEmpty) throw badArchive('The archive has no files.');
  const folder = mode === 'replace' ? findThemeFolder(files.map(({ path }) => path)) : '';
  for (const file of [...files, ...templates]) file.path = file.path.slice(folder.length);
  return { files, warnings: await checkTemplates(app, key, templates) };
}
