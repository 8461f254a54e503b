import { extractText, type HtmlText } from './text/html-text.ts';
import { normaliseQuote } from './text/quotations.ts';
import type { Statement, StatementReader } from './text/statements.ts';

/** The text of a linked page, parsed only as far as a claim needs. */
export interface PageText {
  statements(): Statement[];
  /** Returns the text in the form in which quotations are searched. */
  normalised(): string;
  words(): Set<string>;
  truncated: boolean;
}

const maxPageChars = 300_000;
const maxSubjectWords = 40;

/** Creates a page's text from its source; `truncated` if the source itself was cut. */
export function createPageText(
  text: string,
  options: { isHtml: boolean; truncated: boolean; readerFor: (language: string | null) => StatementReader },
): PageText {
  const extracted = options.isHtml ? extractText(text, maxPageChars) : splitPlainText(text);
  let statements: Statement[] | null = null;
  let normalised: string | null = null;
  let words: Set<string> | null = null;

  function listStatements(): Statement[] {
    statements ??= resolvePronouns([...options.readerFor(extracted.language).read(extracted.blocks)]);
    return statements;
  }
  return {
    statements: listStatements,
    normalised: () => (normalised ??= normaliseQuote(extracted.blocks.map((block) => block.text).join(' '))),
    words: () => (words ??= new Set(listStatements().flatMap((statement) => [...statement.words]))),
    truncated: options.truncated || extracted.truncated,
  };
}

/** Adds to a sentence that begins with a pronoun the words of the earlier one that it refers to. */
function resolvePronouns(statements: Statement[]): Statement[] {
  let named: Statement | null = null;
  return statements.map((statement) => {
    if (!/^(?:It|Its|He|She|They|Es|Er|Sie|Il|Elle)\s/.test(statement.text)) {
      named = statement.words.size <= maxSubjectWords ? statement : null;
      return statement;
    }
    if (named?.block !== statement.block) return statement;
    return { ...statement, words: new Set([...named.words, ...statement.words]) };
  });
}

function splitPlainText(text: string): HtmlText {
  const paragraphs = text.slice(0, maxPageChars).split(/\n\s*\n/);
  const blocks = paragraphs.map((paragraph) => ({
    text: paragraph.replace(/\s+/g, ' ').trim(),
    links: [],
    quoted: false,
  }));
  return { blocks: blocks.filter((block) => block.text !== ''), language: null, truncated: text.length > maxPageChars };
}

/** Decodes bytes in the charset that the header or the page's first kilobyte declares, UTF-8 otherwise. */
export function decodeText(bytes: Buffer, contentType: string): string {
  const declared = /charset\s*=\s*["']?([\w.:-]{1,40})/i;
  const label =
    declared.exec(contentType)?.[1] ?? declared.exec(bytes.subarray(0, 1024).toString('latin1'))?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
