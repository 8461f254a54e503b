import MarkdownIt from 'markdown-it';

/**
 * The minimum limit of characters that resolved link references may add; for a longer text, its length is the limit (as
 * in cmark).
 */
const minReferenceChars = 100_000;

/** Keeps HTML in the text, because the sanitizer processes the result like `body_html`. */
const markdown = new MarkdownIt('commonmark', { html: true }).enable('table');

interface Reference {
  href: string;
  title: string;
}

/**
 * Returns the link references of a text. They stop resolving once their uses add up to `chars`: many uses of a long one
 * would fill memory.
 */
function limitReferences(chars: number): Record<string, Reference> {
  let left = chars;
  return new Proxy<Record<string, Reference>>(Object.create(null), {
    get(references, name: string) {
      const found = references[name];
      if (found) left -= found.href.length + found.title.length;
      return left < 0 ? undefined : found;
    },
  });
}

/**
 * Renders CommonMark with tables as HTML, which is unsafe until it is sanitized. NUL becomes U+0001, because CommonMark
 * would make it a visible U+FFFD; the sanitizer removes U+0001 with the same warning as NUL in HTML.
 */
export function renderMarkdown(text: string): string {
  return markdown.render(text.replaceAll('\0', '\u0001'), {
    references: limitReferences(Math.max(minReferenceChars, text.length)),
  });
}
