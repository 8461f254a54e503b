/** The public interface of shell. */
export { describeTemplates, requiredTemplates } from './describe-templates.ts';
export { compareTexts, createLineBudget, diffTexts } from './diff/text.ts';
export { describeShellPaths, findWriteFault } from './paths.ts';
export { pushTheme } from './service.ts';
export { selectPresentPaths } from './sql.ts';
export { insertStarterShell, type StoredStarterFile, storeStarterShell } from './starter-files.ts';
export { listThemeFolder, readThemeFolder } from './theme/read-folder.ts';
export { type ThemeFile, unpackTheme } from './theme/unpack.ts';
export type { ThemeResult } from './theme/write.ts';
