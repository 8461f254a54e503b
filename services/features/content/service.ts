// What the other features may use of content.
export { cleanAtOnce, createBodyCleaner } from './body/cleaner.ts';
export { type Prepared, prepareContent } from './body/prepare-body.ts';
export { movePageAway } from './free-slug.ts';
export { loadBody } from './present.ts';
export { describeRules as describeBodyRules } from './sanitize/index.ts';
export { createContentBody, statuses } from './schema.ts';
export type { ContentScope } from './scope.ts';
export {
  type ContentPlace,
  selectContent as findContent,
  selectContentPlaces as findContentPlaces,
  usesType,
} from './sql.ts';
export { purgeContent, requireBodiless, requireContent, restoreContent, trashContent } from './trash.ts';
export {
  createContent,
  needsTransaction,
  type Upserted,
  updateContent,
  updateKnownContent,
  upsertContentByRef,
} from './write.ts';
