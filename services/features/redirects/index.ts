/** The door of redirects: what other folders use of it. */
export { requireNoLoopOnDomain } from './service.ts';
