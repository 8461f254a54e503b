import type { WarningCollector } from './warnings.ts';

/** Control characters, noncharacters and lone surrogates: HTML forbids them and feeds (XML) cannot contain them. */
const dirt = /[\0-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f\p{Noncharacter_Code_Point}\p{Surrogate}]/u;
const dirtRuns = new RegExp(`(${dirt.source})\\1*`, 'gu');

/**
 * Removes characters that HTML forbids (a form feed, which separates words, becomes a space) and reports them at their
 * offset in the result (contract: Inside `body_html`).
 */
export function removeDirt(text: string, warnings: WarningCollector): string {
  let removedLength = 0;
  return text.replace(dirtRuns, (run: string, character: string, offset: number) => {
    const name = nameCharacter(character.codePointAt(0)!);
    const count = run.length / character.length;
    warnings.add('character_removed', `Removed the character ${name}`, offset - removedLength, count);
    if (character === '\f') return ' '.repeat(count);
    removedLength += run.length;
    return '';
  });
}

/** Returns whether a character reference resolves to a forbidden character; invalid references arrive as U+FFFD. */
export function isDirtyCodePoint(codePoint: number): boolean {
  return codePoint === 0xfffd || dirt.test(String.fromCodePoint(codePoint));
}

function nameCharacter(codePoint: number): string {
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
}
