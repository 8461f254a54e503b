/** What other folders may import of content. */
export { cleanAtOnce, openBodyCleaner } from './body/open-cleaner.ts';
export type { Prepared } from './body/prepare-body.ts';
export { prepareDraft, readAsPublished } from './drafts/service.ts';
export { movePageAway } from './free-slug.ts';
export { findMediaIds } from './media-uses/find-ids.ts';
export { type MediaPlace, selectMediaUses } from './media-uses/sql.ts';
export { prepareItem } from './prepare-item.ts';
export { loadBody } from './present.ts';
export { findChanges } from './row.ts';
export { describeBodyRules } from './sanitize/describe.ts';
export { publishDueContent } from './scheduling.ts';
export { type CreateContent, createContentBody } from './schema.ts';
export { type ContentScope, changedByOf } from './scope.ts';
export { type ContentPlace, selectContent, selectContentPlaces, usesType } from './sql.ts';
export { requireContent } from './trash.ts';
export { checkFieldsAtOnce, createFieldChecker } from './types/checker.ts';
export { createContent, type Upserted, updateKnownContent, upsertContentByRef } from './write.ts';
