export { type JobRow, selectJob as findJob } from './sql.ts';
