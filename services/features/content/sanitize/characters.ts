import type { WarningCollector } from './warnings.ts';

/** Controls, noncharacters and lone surrogates: HTML forbids them and feeds (XML) cannot carry them. */
const dirt = /[\0-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f\p{Noncharacter_Code_Point}\p{Surrogate}]/u;
const allDirt = new RegExp(dirt, 'gu');

/** Removes characters that may not stand in HTML and reports them (contract: Inside `body_html`). */
export function removeDirt(text: string, warnings: WarningCollector): string {
  if (!dirt.test(text)) return text;
  return text.replace(allDirt, (character: string, offset: number) => {
    warnings.add('character_removed', `Removed the character ${nameCharacter(character.codePointAt(0) ?? 0)}`, offset);
    return '';
  });
}

/** Whether a character reference stands for a character that may not be there; U+FFFD is how invalid ones arrive. */
export function isDirtyCodePoint(codePoint: number): boolean {
  return codePoint === 0xfffd || dirt.test(String.fromCodePoint(codePoint));
}

function nameCharacter(codePoint: number): string {
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
}
