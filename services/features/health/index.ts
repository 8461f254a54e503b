/** The door of health: what other folders use. */
export { maxCounted, type QueueRow, selectBacklog } from './backlog.ts';
export { selectRetriedJobs } from './sql.ts';
