import { createDateReader, type DateFigure } from './dates.ts';
import type { BlockLink, TextBlock } from './html-text.ts';
import { findNumbers, type NumberFigure } from './numbers.ts';
import { createSegmenter, type Sentence, splitSentences } from './sentences.ts';
import { contrasts } from './vocabulary.ts';
import { significantWords } from './words.ts';

/** One sentence with everything that the checks need. */
export interface Statement extends Sentence {
  /** Index of its block. */
  block: number;
  quoted: boolean;
  links: BlockLink[];
  words: Set<string>;
  numbers: NumberFigure[];
  dates: DateFigure[];
}

export interface StatementReader {
  read(blocks: readonly TextBlock[]): Generator<Statement>;
  /** Joins two sentences, for a calculation that spans both. */
  join(first: Statement, second: Statement): Statement;
}

/** Creates a reader of statements for texts in one language. */
export function createStatementReader(locale: string): StatementReader {
  const segmenter = createSegmenter(locale);
  const dateReader = createDateReader(locale);
  const decimalComma = usesDecimalComma(locale);

  function analyse(sentence: Sentence): Omit<Statement, 'block' | 'links' | 'quoted'> {
    const text = hideUrls(sentence.text);
    const dates = dateReader.find(text);
    const numbers = findNumbers(text, decimalComma).filter((number) => !dates.some((date) => overlaps(date, number)));
    return { ...sentence, words: significantWords(text), numbers, dates };
  }

  function* read(blocks: readonly TextBlock[]): Generator<Statement> {
    for (const [index, block] of blocks.entries()) {
      for (const sentence of splitSentences(block.text, segmenter)) {
        const links = block.links.filter((link) => link.start < sentence.end && link.end >= sentence.start);
        const statement = analyse(sentence);
        const numbers = statement.numbers.filter((number) => !isFootnote(number, statement, links));
        yield { ...statement, numbers, block: index, quoted: block.quoted, links };
      }
    }
  }

  function join(first: Statement, second: Statement): Statement {
    const text = `${first.text} ${second.text}`;
    return { ...second, ...analyse({ text, start: first.start, end: second.end, quotes: [] }) };
  }

  return { read, join };
}

/**
 * Returns whether two sentences name the same years and have the same distinguishing words ("another", "today", "plan
 * B").
 */
export function sameCircumstances(left: Statement, right: Statement): boolean {
  return listYears(left) === listYears(right) && listContrasts(left) === listContrasts(right);
}

function listYears(statement: Statement): string {
  return [...new Set(statement.dates.map((date) => date.year))].sort().join();
}

function listContrasts(statement: Statement): string {
  const labels = statement.text.match(/(?<![\p{L}\d])\p{Lu}(?![\p{L}\d])/gu) ?? [];
  return [...[...statement.words].filter((word) => contrasts.has(word)), ...labels].sort().join();
}

function overlaps(left: { start: number; end: number }, right: { start: number; end: number }): boolean {
  return left.start < right.end && right.start < left.end;
}

/** Returns whether a linked number that counts nothing is a footnote mark: "[1]". */
function isFootnote(number: NumberFigure, sentence: Sentence, links: readonly BlockLink[]): boolean {
  if (number.unit !== '' || number.nouns.length > 0 || !/^\d{1,3}$/.test(number.text)) return false;
  const from = sentence.start + number.start;
  const to = sentence.start + number.end;
  return links.some((link) => link.start <= from && link.end >= to && link.end - link.start <= number.text.length + 2);
}

/** Replaces URLs, which are not statements, by blanks of the same length, so that positions stay valid. */
function hideUrls(text: string): string {
  return text.replace(/(?:https?:\/\/|www\.)\S+/gi, (url) => ' '.repeat(url.length));
}

function usesDecimalComma(locale: string): boolean {
  try {
    return new Intl.NumberFormat(locale).format(1.5).includes(',');
  } catch {
    return false;
  }
}
