import type { Assertion, Candidate } from './find-claims.ts';
import type { PageText } from './page-text.ts';
import { type DateFigure, sameDate } from './text/dates.ts';
import { type NumberFigure, sameFigure, sameSubject } from './text/numbers.ts';
import { containsQuote } from './text/quotations.ts';
import { type Statement, sameCircumstances } from './text/statements.ts';
import { countShared, listWords, significantWords } from './text/words.ts';

/** What a page says about one assertion: the same, something else about the same thing, or nothing. */
export type Match = { result: 'same' | 'different'; excerpt: string; found: string } | { result: 'silent' };

const silent: Match = { result: 'silent' };
/** A sentence is about the claim's subject if it has at least this many of its words, and this share of them. */
const minSharedWords = 2;
const minShare = 0.5;
/** Smaller plain numbers occur on every page; they count only next to a word of the claim. */
const minTellingNumber = 10;
/** A number without its unit can match the claim's if it is at least this large. */
const minUnitlessNumber = 100;

/** Looks for an assertion of a candidate in the text of a page. Rules: docs/fact-check.md. */
export function matchPage(assertion: Assertion, candidate: Candidate, page: PageText): Match {
  const { statement } = candidate;
  switch (assertion.kind) {
    case 'number':
      return matchNumber(assertion.figure, statement, page);
    case 'date':
      return matchDate(assertion.figure, statement, page);
    case 'quotation':
      return containsQuote(page.normalised(), assertion.text)
        ? { result: 'same', excerpt: assertion.text, found: 'the quotation' }
        : silent;
    case 'superlative':
      return matchSuperlative(assertion.phrase.stem, statement, page);
    case 'attribution':
      return matchAttribution(assertion.phrase.who, statement, page);
  }
}

function matchNumber(figure: NumberFigure, claim: Statement, page: PageText): Match {
  const isTelling =
    figure.unit !== '' || Math.abs(figure.values[0] ?? 0) >= minTellingNumber || !Number.isInteger(figure.values[0]);
  const same = findBest(page, claim, (statement) => {
    return statesNumber(figure, statement) && (isTelling || countShared(claim.words, statement.words) > 0);
  });
  if (same) return { result: 'same', excerpt: same.text, found: figure.text };

  for (const statement of page.statements()) {
    const [other, ...more] = statement.numbers.filter((number) => number.unit === figure.unit && !number.isOrdinal);
    const isClear =
      other &&
      more.length === 0 &&
      sameSubject(figure, other) &&
      sharesSubject(claim, statement) &&
      sameCircumstances(claim, statement);
    if (isClear) return { result: 'different', excerpt: statement.text, found: other.text };
  }
  return silent;
}

function statesNumber(figure: NumberFigure, statement: Statement): boolean {
  const value = figure.values[0] ?? Number.NaN;
  return (
    statement.numbers.some((number) => {
      const unitless = number.unit === '' && Math.abs(value) >= minUnitlessNumber && figure.unit !== 'percent';
      return sameFigure(figure, unitless ? { ...number, unit: figure.unit } : number);
    }) ||
    // Four isolated digits are parsed as a year.
    (figure.unit === '' && statement.dates.some((date) => date.month === null && date.year === value))
  );
}

function matchDate(figure: DateFigure, claim: Statement, page: PageText): Match {
  const same = findBest(page, claim, (statement) => {
    const isNear = figure.day !== null || countShared(claim.words, statement.words) > 0;
    return isNear && statement.dates.some((date) => sameDate(figure, date));
  });
  if (same) return { result: 'same', excerpt: same.text, found: figure.text };

  if (claim.dates.length !== 1) return silent;
  const different = page.statements().find((statement) => {
    const [date, ...more] = statement.dates;
    return date && more.length === 0 && differs(figure, date) && sharesSubject(claim, statement);
  });
  return different ? { result: 'different', excerpt: different.text, found: different.dates[0]?.text ?? '' } : silent;
}

/** Returns whether two dates cannot both be right; a year without month and day is compatible with any in it. */
function differs(claim: DateFigure, other: DateFigure): boolean {
  if (claim.year !== other.year) return true;
  if (claim.month === null || other.month === null) return false;
  return claim.month !== other.month || (claim.day !== null && other.day !== null && claim.day !== other.day);
}

function matchSuperlative(key: string, claim: Statement, page: PageText): Match {
  const same = findBest(
    page,
    claim,
    (statement) => statement.text.toLowerCase().includes(key) && sharesSubject(claim, statement),
  );
  return same ? { result: 'same', excerpt: same.text, found: `"${key}"` } : silent;
}

function matchAttribution(who: string, claim: Statement, page: PageText): Match {
  const names = significantWords(who);
  const terms = names.size > 0 ? [...names] : listWords(who).map((word) => word.stem);
  const isNamed = terms.every((word) => page.words().has(word));
  const isAbout = countShared(claim.words, page.words()) >= claim.words.size * minShare;
  // The named person must also have said it.
  const isSaid = claim.quotes.every((quote) => containsQuote(page.normalised(), quote.text));
  if (!isNamed || !isAbout || !isSaid) return silent;
  const best = findBest(page, claim, (statement) => terms.some((word) => statement.words.has(word)));
  return { result: 'same', excerpt: best?.text ?? who, found: who };
}

function sharesSubject(claim: Statement, statement: Statement): boolean {
  const shared = countShared(claim.words, statement.words);
  return shared >= Math.min(minSharedWords, claim.words.size) && shared >= claim.words.size * minShare && shared > 0;
}

/** Returns the matching sentence that has most words in common with the claim. */
function findBest(page: PageText, claim: Statement, fits: (statement: Statement) => boolean): Statement | null {
  let best: Statement | null = null;
  let most = -1;
  for (const statement of page.statements()) {
    const shared = countShared(claim.words, statement.words);
    if (shared > most && fits(statement)) {
      best = statement;
      most = shared;
    }
  }
  return best;
}
