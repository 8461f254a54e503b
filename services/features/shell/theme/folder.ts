import { requiredTemplates } from '../describe-templates.ts';

/**
 * Returns the folder that contains a whole theme, with its slash, as in archives of a repository: all files are in it,
 * and the templates are at its top level. Empty when there is no such folder. A shell with its templates in a folder
 * could not be built, so a deliberate folder is never removed.
 */
export function findThemeFolder(paths: readonly string[]): string {
  const [first = ''] = paths;
  const folder = first.slice(0, first.indexOf('/') + 1);
  if (folder === '' || !paths.every((path) => path.startsWith(folder))) return '';
  return requiredTemplates.some((name) => paths.includes(folder + name)) ? folder : '';
}
