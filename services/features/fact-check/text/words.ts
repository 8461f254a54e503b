import { stopWords } from './vocabulary.ts';

const wordPattern = /\p{L}[\p{L}\p{M}]*/gu;

/** Returns a word's stem for comparisons: lower case, without accents and plural ending. */
export function stem(word: string): string {
  const plain = word.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '');
  if (plain.length > 4 && plain.endsWith('ies')) return `${plain.slice(0, -3)}y`;
  if (plain.length > 4 && /(ches|shes|xes|sses)$/.test(plain)) return plain.slice(0, -2);
  return plain.length > 3 && plain.endsWith('s') && !plain.endsWith('ss') ? plain.slice(0, -1) : plain;
}

/** Returns the words of a text in order, stemmed, with their positions. */
export function listWords(text: string): { word: string; stem: string; start: number; end: number }[] {
  return Array.from(text.matchAll(wordPattern), (match) => {
    return { word: match[0], stem: stem(match[0]), start: match.index, end: match.index + match[0].length };
  });
}

/** Returns the significant stems: no articles, auxiliaries or short words. */
export function significantWords(text: string): Set<string> {
  const words = listWords(text).filter(({ word }) => word.length >= 3 && !stopWords.has(word.toLowerCase()));
  return new Set(words.map((word) => word.stem));
}

/** Counts the common members of two sets. */
export function countShared(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of left) if (right.has(word)) shared++;
  return shared;
}
