import { compareTexts } from './text.ts';

/** What a thread does with two versions of a file; see `createComparer`. */
export default compareTexts;
