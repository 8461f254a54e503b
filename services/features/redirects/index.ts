/** The public interface of redirects. */
export { requireNoLoopOnDomain } from './service.ts';
