import MarkdownIt from 'markdown-it';

/** What link references may add, at least; longer texts may double. As cmark limits it. */
const minReferenceChars = 100_000;

/** HTML in the text stays: the sanitizer judges it as it does in `body_html`. */
const markdown = new MarkdownIt('commonmark', { html: true }).enable('table');

interface Reference {
  href: string;
  title: string;
}

/** The link references of a text, of which no more can be used once their uses add up to `chars`: a long one may be used often. */
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
 * HTML of CommonMark with tables. It is not safe before it is sanitized. CommonMark would replace NUL by U+FFFD, which is
 * a character of the text: U+0001 in its place is removed by the sanitizer, with the warning that NUL has in HTML.
 */
export function renderMarkdown(text: string): string {
  return markdown.render(text.replaceAll('\0', '\u0001'), {
    references: limitReferences(Math.max(minReferenceChars, text.length)),
  });
}
