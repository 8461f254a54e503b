/** The door of the audit log: what other folders use of it. */
export { presentChange } from './present.ts';
export { type Change, recordChange } from './record.ts';
export { deleteExpiredChanges, readChanges } from './sql.ts';
