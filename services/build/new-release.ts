import type { MissingReference } from './missing.ts';
import type { PublicFile } from './picture.ts';
import type { WhySummary } from './why.ts';

/** A release that has been built but not swapped in. */
export interface NewRelease {
  id: string;
  manifestHash: string;
  inputsHash: string;
  traceHash: string;
  pages: number;
  changed: number;
  bytes: number;
  url: string;
  /** How many pages were rendered, and for what. */
  why: WhySummary;
  /** Items that its pages show and whose variants are still being made; the site is built again when they are ready. */
  awaitedMedia: string[];
  /** References on its pages to things that the site does not have. */
  warnings: MissingReference[];
  /** Every object that the release refers to; the swap pins them, so that none is collected. */
  hashes: string[];
  assets: PublicFile[];
}
