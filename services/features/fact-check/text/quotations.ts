import { listWords } from './words.ts';

export interface QuoteSpan {
  start: number;
  end: number;
  /** The quoted text, without its marks. */
  text: string;
}

/** Each opening mark and its possible closing marks: English, German, French, Swiss and typewriter styles. */
const closers: Record<string, string> = { '“': '”“', '„': '“”', '«': '»', '»': '«', '"': '"', '‘': '’', '‹': '›' };
const maxQuoteChars = 1500;
const minQuoteWords = 3;

/**
 * Finds the quotations in a block: passages in quotation marks of at least three words; shorter ones are names or scare
 * quotes.
 */
export function findQuotes(text: string): QuoteSpan[] {
  const quotes: QuoteSpan[] = [];
  /** By opening mark: no closing mark before this position, so that the same text is not searched again. */
  const searched = new Map<string, number>();
  for (let position = 0; position < text.length; position++) {
    const quote = readQuote(text, position, searched);
    if (!quote) continue;
    if (listWords(quote.text).length >= minQuoteWords) quotes.push(quote);
    position = quote.end - 1;
  }
  return quotes;
}

function readQuote(text: string, start: number, searched: Map<string, number>): QuoteSpan | null {
  const opener = text[start] ?? '';
  const closing = closers[opener];
  // After a digit or letter the mark is an inch, an apostrophe or an unmatched closing mark.
  if (!closing || /[\p{L}\d]/u.test(text[start - 1] ?? '')) return null;
  const limit = Math.min(text.length, start + maxQuoteChars);
  for (let end = Math.max(start + 1, searched.get(opener) ?? 0); end < limit; end++) {
    if (!closing.includes(text[end] ?? '')) continue;
    const isApostrophe = opener === '‘' && /\p{L}/u.test(text[end + 1] ?? '');
    if (!isApostrophe) return { start, end: end + 1, text: text.slice(start + 1, end).trim() };
  }
  searched.set(opener, limit);
  return null;
}

/**
 * Normalizes a text for the search of quotations: lower case, no quotation marks or punctuation at the edges of words,
 * single spaces.
 */
export function normaliseQuote(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\p{P}\p{S}\s]+/gu, ' ')
    .trim();
}

/** Returns whether a normalised text contains a quotation; any text may replace an ellipsis. */
export function containsQuote(normalisedText: string, quote: string): boolean {
  const parts = quote.split(/\[?(?:…|\.\.\.)\]?/).map(normaliseQuote);
  let position = 0;
  for (const part of parts.filter((part) => part !== '')) {
    const found = ` ${normalisedText} `.indexOf(` ${part} `, position);
    if (found < 0) return false;
    position = found + part.length;
  }
  return parts.some((part) => part !== '');
}
