/** The public interface of fact-check. */
export { checkItem } from './service.ts';
