import { requiredTemplates } from '../describe-templates.ts';

/**
 * The folder, with its slash, that holds a whole theme, as archives of a repository have it: all files are in it, and its
 * templates are at its top. Empty when there is none. A shell whose templates lie in a folder could not be built, so nothing
 * that is meant otherwise is moved.
 */
export function findThemeFolder(paths: readonly string[]): string {
  const [first = ''] = paths;
  const folder = first.slice(0, first.indexOf('/') + 1);
  if (folder === '' || !paths.every((path) => path.startsWith(folder))) return '';
  return requiredTemplates.some((name) => paths.includes(folder + name)) ? folder : '';
}
