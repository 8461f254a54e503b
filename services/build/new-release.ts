import type { MissingReference } from './missing.ts';
import type { PublicFile } from './picture.ts';
import type { WhySummary } from './why.ts';

/** A release that a build has made and that nobody sees yet. */
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
  /** Items that its pages show and whose variants are still being made: it is made anew when they are there. */
  awaitedMedia: string[];
  /** What its pages refer to though the site does not have it. */
  warnings: MissingReference[];
  /** Every object the release refers to; pinned in the swap, so that collection cannot take one. */
  hashes: string[];
  assets: PublicFile[];
}
