import { compareTexts } from './text.ts';

/** Entry of the thread that compares two versions of a file; see `createComparer`. */
export default compareTexts;
