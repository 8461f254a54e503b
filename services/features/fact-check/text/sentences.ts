import { findQuotes, type QuoteSpan } from './quotations.ts';

export interface Sentence {
  text: string;
  start: number;
  end: number;
  quotes: QuoteSpan[];
}

const maxSentenceChars = 2000;
const abbreviation =
  /(?:^|[\s(])(?:\p{Lu}|dr|mr|mrs|ms|prof|st|nr|vs|approx|ca|e\.g|i\.e|inc|ltd|corp|jr|sr|gen|col|z\.b|bzw|usw|ggf|mio|mrd|tsd|sra?|mme|etc)\.\s*$/iu;

/**
 * Splits a block into sentences by the rules of the locale; never within a quotation or after an abbreviation. The
 * positions of `quotes` are relative to the sentence.
 */
export function splitSentences(text: string, segmenter: Intl.Segmenter): Sentence[] {
  const quotes = findQuotes(text);
  const sentences: Sentence[] = [];
  // In many languages, but not in English, a dot makes a number an ordinal: "5. Januar".
  const ordinalDots = !segmenter.resolvedOptions().locale.startsWith('en');
  let start = 0;
  for (const end of listEnds(text, segmenter)) {
    const mayEnd =
      end === text.length || end - start >= maxSentenceChars || !continuesAt(text, start, end, quotes, ordinalDots);
    if (!mayEnd) continue;
    for (let from = start; from < end; from += maxSentenceChars) {
      const sentence = createSentence(text, from, Math.min(end, from + maxSentenceChars), quotes);
      if (sentence.text !== '') sentences.push(sentence);
    }
    start = end;
  }
  return sentences;
}

/** Creates a segmenter for a locale, or for the root locale if it is unknown. */
export function createSegmenter(locale: string): Intl.Segmenter {
  try {
    return new Intl.Segmenter(locale, { granularity: 'sentence' });
  } catch {
    return new Intl.Segmenter('und', { granularity: 'sentence' });
  }
}

function listEnds(text: string, segmenter: Intl.Segmenter): number[] {
  return Array.from(segmenter.segment(text), ({ index, segment }) => index + segment.length);
}

function continuesAt(
  text: string,
  start: number,
  end: number,
  quotes: readonly QuoteSpan[],
  ordinalDots: boolean,
): boolean {
  const ending = text.slice(Math.max(start, end - 12), end);
  if (ordinalDots && /(?:^|\s)\d{1,2}\.\s*$/.test(ending)) return true;
  if (quotes.some((quote) => quote.start < end && quote.end > end)) return true;
  return abbreviation.test(ending);
}

function createSentence(block: string, from: number, to: number, quotes: readonly QuoteSpan[]): Sentence {
  const raw = block.slice(from, to);
  const start = from + (raw.length - raw.trimStart().length);
  const text = raw.trim();
  const inside = quotes.filter((quote) => quote.start >= start && quote.start < to);
  return {
    text,
    start,
    end: start + text.length,
    quotes: inside.map((quote) => ({ ...quote, start: quote.start - start, end: quote.end - start })),
  };
}
