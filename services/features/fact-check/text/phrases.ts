import { listWords } from './words.ts';

/** A superlative as written, and the word to look for in a source. */
export interface Superlative {
  text: string;
  stem: string;
}

/** A person or body that is said to have said something. */
export interface Attribution {
  text: string;
  who: string;
}

const lead = `(?:the|its|his|her|their|our|world['’]s|country['’]s|city['’]s|europe['’]s|nation['’]s)`;
const superlativePatterns = [
  new RegExp(`\\b${lead}\\s(?:\\p{L}+\\s)?(?<key>\\p{L}{2,16}est)\\b`, 'giu'),
  /\b(?:most|least)\s(?<key>\p{L}{4,24})\b/giu,
  new RegExp(`\\b${lead}\\s(?<key>first|only|sole|best|worst|most|biggest)\\s\\p{L}+`, 'giu'),
  /\b(?<key>unprecedented|unrivalled|unrivaled|unmatched|unparalleled|unsurpassed|number\sone|no\.\s?1|record-breaking)\b/giu,
  /(?<![\p{L}])(?:der|die|das|den|dem|des)\s(?<key>\p{L}{2,24}[sß]te[nrsm]?|einzige[nrsm]?|beste[nrsm]?)(?![\p{L}])/giu,
  /(?<![\p{L}])(?:le|la|les)\s(?:plus|moins)\s(?<key>\p{L}{3,24})/giu,
  /(?<![\p{L}])(?:le|la|les)\s(?<key>premier|première|seul|seule|meilleur|meilleure|pire)(?![\p{L}])/giu,
  /(?<![\p{L}])(?:el|la|los|las)\s(?:\p{L}{2,24}\s)?(?:más|menos)\s(?<key>\p{L}{3,24})/giu,
  /(?<![\p{L}])(?:el|la|los|las)\s(?<key>mayor|menor|mejor|peor|único|única|primer|primera|primero)(?![\p{L}])/giu,
];

/** Words that end like a superlative but are not one. */
const falseFriends = new Set(
  `forest interest rest test guest west nest quest request protest harvest honest modest suggest invest contest conquest chest east arrest digest priest pest vest
  crest zest jest inquest manifest earnest northwest southwest midwest bequest behest attest detest divest infest ingest likely people often cases things time
  liste kiste küste gäste kosten osten westen posten fasten christen`.split(/\s+/),
);

/** Finds "the largest …", "the most expensive …", "the only …": claims to exceed all others. */
export function findSuperlatives(text: string): Superlative[] {
  const found = new Map<string, Superlative>();
  for (const pattern of superlativePatterns) {
    for (const match of text.matchAll(pattern)) {
      const key = match.groups?.['key']?.toLowerCase() ?? '';
      if (!falseFriends.has(key) && !found.has(key)) found.set(key, { text: match[0], stem: key });
    }
  }
  return [...found.values()];
}

const name = `(?:(?:the|a|an)\\s)?(?:\\p{Lu}[\\p{L}\\p{M}.'’-]{0,30})(?:\\s(?:(?:of|the|for|de|del|der|van|von|and|at)\\s)?\\p{Lu}[\\p{L}\\p{M}.'’-]{0,30}){0,5}`;
const role = `(?:researchers|scientists|experts|officials|analysts|economists|doctors|critics|historians|police|authorities|(?:the|a|one|this)\\s(?:\\p{Ll}{2,20}\\s){0,2}(?:study|report|survey|ministry|company|government|university|agency|spokesman|spokeswoman|spokesperson|minister|mayor|president|court|author|institute))`;
const verb =
  'said|says|say|told|stated|states|claimed|claims|argued|argues|wrote|writes|reported|reports|announced|announces|explained|explains|noted|notes|warned|warns|confirmed|confirms|estimated|estimates|found|finds|concluded|concludes|sagte|sagt|erklärte|teilte|déclare|déclaré|affirme|dijo|afirmó|declaró';
const attributionPatterns = [
  /\b(?:according\sto|as\s(?:reported|stated|claimed|noted)\sby|in\sthe\swords\sof|nach\sangaben\svon)\s(?<who>[^,.;:()“”"«»]{2,80})/giu,
  /(?<![\p{L}])(?:laut|selon|según|d[’']après)\s(?<who>[^,.;:()“”"«»]{2,80})/giu,
  new RegExp(`(?<![\\p{L}])(?<who>${name})\\s(?:(?:also|has|had|hat|a|later|then)\\s)?(?:${verb})(?![\\p{L}])`, 'gu'),
  new RegExp(`(?<![\\p{L}])(?<who>${role})\\s(?:(?:also|has|have|had)\\s)?(?:${verb})(?![\\p{L}])`, 'giu'),
  new RegExp(`[”“"»]\\s?,?\\s?(?:${verb})\\s(?<who>${name})`, 'gu'),
];
const pronouns = new Set(
  'he she it they we i this that these those who which the er sie es wir il elle ils él ella'.split(' '),
);

/**
 * Finds "according to …", "… said": claims that a person or body stated something. Ignores pronouns, which do not name a person or body.
 */
export function findAttributions(text: string): Attribution[] {
  const found = new Map<string, Attribution>();
  for (const pattern of attributionPatterns) {
    for (const match of text.matchAll(pattern)) {
      const who = match.groups?.['who']?.replace(/[\s.'’-]+$/, '').trim() ?? '';
      if (!pronouns.has(who.toLowerCase()) && listWords(who).length > 0)
        found.set(who.toLowerCase(), { text: match[0].trim(), who });
    }
  }
  return [...found.values()];
}
