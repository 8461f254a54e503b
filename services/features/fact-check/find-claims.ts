import type { DateFigure } from './text/dates.ts';
import type { NumberFigure } from './text/numbers.ts';
import { type Attribution, findAttributions, findSuperlatives, type Superlative } from './text/phrases.ts';
import type { Statement } from './text/statements.ts';
import type { Claim, ClaimKind, Evidence, Verdict } from './types.ts';

/** The content of one claim, without its sentence. */
export type Assertion =
  | { kind: 'number'; text: string; figure: NumberFigure }
  | { kind: 'date'; text: string; figure: DateFigure }
  | { kind: 'quotation'; text: string }
  | { kind: 'superlative'; text: string; phrase: Superlative }
  | { kind: 'attribution'; text: string; phrase: Attribution };

/** A claim during the check: everything of one kind that one sentence asserts. */
export interface Candidate {
  kind: ClaimKind;
  statement: Statement;
  assertions: Assertion[];
}

const minWordNumber = 10;
const maxClaimChars = 600;

/**
 * Returns the claims of one sentence, at most one of each kind: figures, dates, quotations, superlatives and
 * attributions. Source: issue "Fact check".
 */
export function findClaims(statement: Statement): Candidate[] {
  const assertions: Assertion[] = [
    ...listNumbers(statement).map((figure) => ({ kind: 'number' as const, text: figure.text, figure })),
    ...statement.dates.map((figure) => ({ kind: 'date' as const, text: figure.text, figure })),
    ...listQuotations(statement).map((text) => ({ kind: 'quotation' as const, text })),
    ...findSuperlatives(statement.text).map((phrase) => ({ kind: 'superlative' as const, text: phrase.text, phrase })),
    ...findAttributions(statement.text).map((phrase) => ({ kind: 'attribution' as const, text: phrase.who, phrase })),
  ];
  const kinds: ClaimKind[] = ['number', 'date', 'superlative', 'quotation', 'attribution'];
  return kinds
    .map((kind) => ({ kind, statement, assertions: assertions.filter((assertion) => assertion.kind === kind) }))
    .filter((candidate) => candidate.assertions.length > 0);
}

/** Returns the numbers worth looking up: not small ones in words ("three reasons"), list markers and ordinals. */
function listNumbers(statement: Statement): NumberFigure[] {
  return statement.numbers.filter((figure) => {
    const isMarker = figure.start === 0 && /^\d{1,3}[.)]\s/.test(statement.text);
    return !isMarker && !figure.isOrdinal && (!figure.isWord || Math.abs(figure.values[0] ?? 0) >= minWordNumber);
  });
}

function listQuotations(statement: Statement): string[] {
  if (statement.quotes.length > 0) return statement.quotes.map((quote) => quote.text);
  return statement.quoted && statement.words.size >= 3 ? [statement.text] : [];
}

/** Returns the claim for the report. */
export function presentClaim(candidate: Candidate, verdict: Verdict, evidence: Evidence[]): Claim {
  return { text: shorten(candidate.statement.text, maxClaimChars), kind: candidate.kind, verdict, evidence };
}

/** Cuts a text to `maxChars`, with an ellipsis if it was longer. */
export function shorten(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars - 1).toWellFormed()}…`;
}
