import type { CleanBody } from '../../app.ts';
import { cleanBody } from './clean.ts';

/** What a thread does with bodies; see `createBodyCleaner`. */
export default function cleanBodies(given: readonly string[]): CleanBody[] {
  return given.map(cleanBody);
}
