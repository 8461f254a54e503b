import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { openDocument } from '../../../../services/dashboard/views/content/editor/document.ts';
import { createDocumentSchema } from '../../../../services/dashboard/views/content/editor/extensions.ts';
import { createHtmlWriter } from '../../../../services/dashboard/views/content/editor/write-html.ts';
import { sanitizeBody } from '../../../../services/features/content/sanitize/index.ts';
import { markup } from '../../../fuzz/markup.ts';
import { sized } from '../../../harness/long-form.ts';
import { corpus } from '../../../security/corpus/index.ts';
import { articles } from './articles.ts';

const schema = createDocumentSchema();
const tags =
  /^(?:a|abbr|b|bdi|bdo|cite|code|data|del|dfn|em|i|ins|kbd|mark|q|s|samp|small|span|strong|sub|sup|time|u|var)$/;

/** Opens stored HTML and writes every node of it again, without its source text. */
function rewrite(stored: string): string {
  const { doc } = openDocument(schema, stored);
  doc.check();
  return createHtmlWriter().write(doc);
}

/**
 * What a reader gets from HTML: blocks with attributes, and the pieces of each line with the elements around them. White space between blocks,
 * `<p>` around text beside blocks, the order of elements around the same text and a repeated element do not count.
 */
function contentOf(html: string): string {
  const out: string[] = [];
  let last = '';
  const walk = (node: DefaultTreeAdapterTypes.ChildNode, around: readonly string[]) => {
    if ('value' in node) {
      const text = node.value.replace(/[ \t\n\r\f]+/g, ' ');
      const place = [...new Set(around)].sort().join();
      if (text.trim() === '' && last !== place) return;
      out.push(last === place ? text : `${place}: ${text}`);
      last = place;
      return;
    }
    if (!('tagName' in node)) return;
    const attributes = node.attrs.map(({ name, value }) => ` ${name}="${value}"`).join('');
    const own = `<${node.tagName}${attributes}>`;
    if (tags.test(node.tagName) && node.childNodes.length > 0) {
      for (const child of node.childNodes) walk(child, [...around, own]);
      return;
    }
    last = '';
    if (own !== '<p>') out.push(own);
    for (const child of node.childNodes) walk(child, []);
    last = '';
    if (own !== '<p>') out.push('/');
  };
  for (const node of parseFragment(`<div>${html}</div>`).childNodes) walk(node, []);
  return out.join('').replace(/ +/g, '');
}

function expectLossless(html: string): void {
  const stored = sanitizeBody(html).html;
  const { doc, writer } = openDocument(schema, stored);
  expect(writer.write(doc)).toBe(stored);
  const written = rewrite(stored);
  expect(sanitizeBody(written)).toEqual({ html: written, warnings: [] });
  expect(contentOf(written)).toBe(contentOf(stored));
  expect(rewrite(written)).toBe(written);
}

test.each(articles)('%s is written as the sanitizer keeps it, and nothing is lost', (_name, html) => {
  expectLossless(html);
});

test('hostile HTML, once sanitized, is written as the sanitizer keeps it, and nothing is lost', () => {
  for (const { html } of corpus) expectLossless(html);
});

test('random HTML, once sanitized, is written as the sanitizer keeps it, and nothing is lost', () => {
  fc.assert(
    fc.property(markup, (html) => expectLossless(html)),
    { numRuns: sized(500, 10_000) },
  );
});
