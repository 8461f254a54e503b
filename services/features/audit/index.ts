/** The public interface of the audit log for other folders. */
export { presentChange } from './present.ts';
export { type Change, queueChange, recordChange } from './record.ts';
export { deleteExpiredChanges, readChanges } from './sql.ts';
