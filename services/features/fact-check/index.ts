/** The door of fact-check: what other folders use of it. */
export { checkItem } from './service.ts';
