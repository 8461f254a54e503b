import { applyPatch, parsePatch, reversePatch } from 'diff';

/** Returns the text before a unified diff was applied; null if the diff is not of this text. */
export function textBefore(after: string, diff: string): string | null {
  const [patch] = parsePatch(diff);
  const before = patch ? applyPatch(after, reversePatch(patch)) : false;
  return before === false ? null : before;
}
