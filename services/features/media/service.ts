/** What other features and processes may use of the media library. */
export { type Imported, type ImportRequest, importMedia } from './import.ts';
export {
  createMedia,
  purgeMedia,
  requireMedia,
  restoreMedia,
  trashMedia,
  updateMedia,
  wakeMedia,
} from './library.ts';
export type { MediaRow, StoredFile, Variant } from './row.ts';
export { selectMediaBySource } from './sql.ts';
