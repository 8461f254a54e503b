import { isUtf8 } from 'node:buffer';
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';

/** Why a difference has no diff. */
export type Omitted = 'binary' | 'too_large' | 'too_different';

export type TextDiff = { diff: string; omitted: null } | { diff: null; omitted: Omitted };

/** Maximum size of both sides together; `createLineBudget` bounds the total per response. */
export const maxComparedBytes = 512 * 1024;
const maxLines = 10_000;
const maxChangedLines = 1_000;
const linesAReply = 20_000;
const textPath = /\.(?:twig|css|js|json|svg)$/i;

/** Returns whether files with this name are text. */
export const isTextPath = (path: string): boolean => textPath.test(path);

/** Creates the budget of lines that one response may compare. */
export function createLineBudget() {
  let left = linesAReply;
  return {
    take(lines: number): boolean {
      if (lines > maxLines || lines > left) return false;
      left -= lines;
      return true;
    },
  };
}

function countLines(data: Buffer): number {
  let lines = 1;
  for (let at = data.indexOf(10); at >= 0; at = data.indexOf(10, at + 1)) lines++;
  return lines;
}

const nowhere = '/dev/null';
const omit = (omitted: Omitted): TextDiff => ({ diff: null, omitted });

/** Two versions of a shell file; null when a version does not have it. */
export interface Versions {
  path: string;
  before: string | null;
  after: string | null;
}

/**
 * Returns the unified diff of two versions; undefined when more than `maxChangedLines` differ. Takes a tenth of a
 * second for 512 KiB.
 */
export function compareTexts({ path, before, after }: Versions): string | undefined {
  const bounds = before !== null && after !== null ? { maxEditLength: maxChangedLines } : {};
  return createTwoFilesPatch(
    before === null ? nowhere : `a/${path}`,
    after === null ? nowhere : `b/${path}`,
    before ?? '',
    after ?? '',
    undefined,
    undefined,
    { context: 3, headerOptions: FILE_HEADERS_ONLY, ...bounds },
  );
}

/**
 * Returns the unified diff of two versions of a file; null when a version does not have it. Its cost is bounded by a
 * number of lines, not by time, so that the same input always gives the same result. `compare` is `compareTexts`, here
 * or in a thread.
 */
export async function diffTexts(
  path: string,
  before: Buffer | null,
  after: Buffer | null,
  budget: ReturnType<typeof createLineBudget>,
  compare: (versions: Versions) => string | undefined | Promise<string | undefined>,
): Promise<TextDiff> {
  const sides = [before, after].filter((side) => side !== null);
  if (sides.some((side) => side.includes(0) || !isUtf8(side))) return omit('binary');
  if (!budget.take(sides.reduce((lines, side) => lines + countLines(side), 0))) return omit('too_large');
  const textOf = (side: Buffer | null) => side?.toString('utf8') ?? null;
  const diff = await compare({ path, before: textOf(before), after: textOf(after) });
  return diff === undefined ? omit('too_different') : { diff, omitted: null };
}
