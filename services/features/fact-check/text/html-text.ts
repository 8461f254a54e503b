import { Parser } from 'htmlparser2';

/**
 * One paragraph, heading, list item or cell: its text with single spaces, and its links with their positions in the
 * text.
 */
export interface TextBlock {
  text: string;
  links: BlockLink[];
  /** Whether it is inside a `blockquote`, so that all of it is a quotation. */
  quoted: boolean;
}

export interface BlockLink {
  url: string;
  start: number;
  end: number;
}

export interface HtmlText {
  blocks: TextBlock[];
  /** The document's own `lang`, if any. */
  language: string | null;
  truncated: boolean;
}

const inlineElements = new Set(
  'a abbr b bdi bdo cite code data del dfn em font i ins kbd label mark q rp rt ruby s samp small span strong sub sup time tt u var wbr x-component'.split(
    ' ',
  ),
);
const hiddenElements = new Set(
  'script style template noscript svg math head iframe object select textarea nav'.split(' '),
);
const writeSize = 16_384;
/** htmlparser2 searches its list of open elements at every end tag; unlimited nesting would make that quadratic. */
const maxDepth = 512;
/** Longer blocks are cut, to bound work that compares the parts of one block. */
const maxBlockChars = 10_000;

/**
 * Extracts the visible text of an HTML document or fragment as blocks, at most `maxChars` characters. Malformed, deeply
 * nested or truncated documents give what can be read; never throws.
 */
export function extractText(html: string, maxChars: number): HtmlText {
  const collector = createCollector();
  let depth = 0;
  let deepest = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        deepest = Math.max(deepest, ++depth);
        collector.open(name, attributes);
      },
      onclosetag(name) {
        depth--;
        collector.close(name);
      },
      ontext: (text) => collector.text(text),
    },
    { decodeEntities: true },
  );
  let position = 0;
  while (position < html.length && collector.chars() < maxChars && deepest <= maxDepth) {
    parser.write(html.slice(position, position + writeSize));
    position += writeSize;
  }
  if (position >= html.length) parser.end();
  return { ...collector.finish(), truncated: position < html.length };
}

function createCollector() {
  const blocks: TextBlock[] = [];
  let language: string | null = null;
  let hiddenDepth = 0;
  let chars = 0;
  let block: TextBlock = { text: '', links: [], quoted: false };
  const openLinks: { url: string; start: number }[] = [];
  const openQuotes: string[] = [];

  function endBlock(): void {
    const carried = openLinks.map((link) => ({ ...link, start: 0 }));
    while (openLinks.length > 0) endLink();
    if (block.text.trim() !== '') blocks.push(trimBlock(block));
    openLinks.push(...carried);
    block = { text: '', links: [], quoted: openQuotes.length > 0 };
  }

  function endLink(): void {
    const link = openLinks.pop();
    if (link) block.links.push({ ...link, end: block.text.length });
  }

  return {
    chars: () => chars,
    open(name: string, attributes: Record<string, string>): void {
      if (name === 'html' && attributes['lang']) language = attributes['lang'];
      if (hiddenElements.has(name)) hiddenDepth++;
      if (hiddenDepth > 0) return;
      if (!inlineElements.has(name)) endBlock();
      if (name === 'blockquote') openQuotes.push(attributes['cite'] ?? '');
      if (name === 'blockquote') block.quoted = true;
      if (name === 'a') openLinks.push({ url: attributes['href'] ?? '', start: block.text.length });
      if (name === 'q') block.text += '“';
      const cite = name === 'q' || name === 'blockquote' ? attributes['cite'] : undefined;
      if (cite) block.links.push({ url: cite, start: block.text.length, end: block.text.length });
    },
    close(name: string): void {
      if (hiddenElements.has(name)) hiddenDepth = Math.max(0, hiddenDepth - 1);
      else if (hiddenDepth > 0) return;
      else if (name === 'a') endLink();
      else if (name === 'q') block.text += '”';
      else if (name === 'blockquote') openQuotes.pop();
      if (!inlineElements.has(name)) endBlock();
    },
    text(text: string): void {
      if (hiddenDepth > 0) return;
      // Non-breaking and thin spaces that group the digits of a number are kept; all others collapse.
      const collapsed = text.replace(/[^\S\u00a0\u202f\u2009]+/g, ' ');
      const added = block.text === '' || block.text.endsWith(' ') ? collapsed.trimStart() : collapsed;
      block.text += added;
      chars += added.length;
      if (block.text.length > maxBlockChars) endBlock();
    },
    finish(): { blocks: TextBlock[]; language: string | null } {
      endBlock();
      return { blocks, language };
    },
  };
}

function trimBlock(block: TextBlock): TextBlock {
  return { ...block, text: block.text.trimEnd() };
}
