import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type DefaultTreeAdapterTypes, parseFragment, serialize } from 'parse5';
import { sanitizeBody } from '../../../services/features/content/sanitize/index.ts';
import { allowedTags } from '../../../services/features/content/sanitize/rules.ts';

const elements = [
  ...allowedTags,
  ...[
    'script',
    'style',
    'svg',
    'math',
    'mtext',
    'mglyph',
    'foreignObject',
    'desc',
    'annotation-xml',
    'template',
    'title',
  ],
  ...[
    'noscript',
    'textarea',
    'select',
    'option',
    'form',
    'button',
    'iframe',
    'xmp',
    'plaintext',
    'nobr',
    'font',
    'body',
  ],
];
const attributes = [
  ...[
    '',
    '',
    '',
    ' href="/x"',
    ' href="javascript:alert(1)"',
    ' style="x"',
    ' onclick=alert(1)',
    ' id=a',
    ' class="b c"',
  ],
  ...[
    ' title="--><img src=x onerror=alert(1)>"',
    ' src=data:x',
    ' srcset="/a 1x, javascript:x 2x"',
    ' vars=\'{"a":1}\'',
  ],
  ...[' controls', ' open=""', ' alt="&quot;"', ' target=_blank rel=opener', '/', ' ="'],
];
const pieces = [
  ...['text', ' ', '\n', '&amp;', '&lt;', '&#0;', '&nbsp;', '<', '>', '"', "'", '&', '\0', '\ud800', '\f', 'é', '😀'],
  ...[
    '<!-- c -->',
    '<!--',
    '-->',
    '<!doctype html>',
    '<![CDATA[x]]>',
    ']]>',
    '<?x?>',
    '</',
    '</>',
    '<b',
    '</p x',
    '</p/',
    '<p x=',
    '<p x="',
    '<p/',
    '--!>',
  ],
];
const element = fc.constantFrom(...elements);
const token = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(element, fc.constantFrom(...attributes)).map(([tag, rest]) => `<${tag}${rest}>`) },
  { weight: 3, arbitrary: element.map((tag) => `</${tag}>`) },
  { weight: 2, arbitrary: fc.constantFrom(...pieces) },
);
const markup = fc.array(token, { maxLength: 40 }).map((tokens) => tokens.join(''));
const anything = fc.oneof(markup, fc.string({ unit: 'binary', maxLength: 200 }), fc.string({ maxLength: 200 }));
const runs = { numRuns: 3000 };

test('sanitizing twice changes and reports nothing', () => {
  fc.assert(
    fc.property(anything, (html) => {
      const once = sanitizeBody(html);
      expect(sanitizeBody(once.html)).toEqual({ html: once.html, warnings: [] });
    }),
    runs,
  );
});

test('a browser reads exactly the tree that was written, of allowed elements only', () => {
  fc.assert(
    fc.property(anything, (html) => {
      const clean = sanitizeBody(html).html;
      const tree = parseInDiv(clean);
      expect(forbiddenParts(tree)).toEqual([]);
      expect(comparable(serialize(tree))).toBe(comparable(clean));
    }),
    runs,
  );
});

test('text that contains no markup comes back as the same text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const escaped = text
        .replace(/[\0-\x08\x0b-\x1f\x7f]/g, '')
        .replace(/&/g, '&amp;')
        .replace(/</g, '&lt;')
        .replace(/>/g, '&gt;');
      expect(sanitizeBody(escaped).html).toBe(escaped.replaceAll('\u00a0', '&nbsp;'));
    }),
    runs,
  );
});

test('nothing goes without a warning', () => {
  fc.assert(
    fc.property(markup, (html) => {
      // A self-closed component is read as closed, which a browser would not do.
      fc.pre(!html.includes('<x-component/'));
      const result = sanitizeBody(html);
      if (result.warnings.length > 0) return;
      expect(comparable(serialize(parseInDiv(result.html)))).toBe(comparable(serialize(parseInDiv(html))));
    }),
    runs,
  );
});

test('the library never finds more to remove than was reported', () => {
  fc.assert(
    fc.property(anything, (html) => {
      expect(
        sanitizeBody(html)
          .warnings.map((warning) => warning.message)
          .join(),
      ).not.toContain('Removed markup that');
    }),
    runs,
  );
});

/** Names every element, comment, handler, style or active URL in the tree that must not be there. */
function forbiddenParts(node: DefaultTreeAdapterTypes.Node): string[] {
  const children = 'childNodes' in node ? node.childNodes : [];
  const own: string[] = [];
  if (node.nodeName === '#comment') own.push('comment');
  if ('attrs' in node) {
    if (!allowedTags.includes(node.tagName)) own.push(node.tagName);
    for (const { name, value } of node.attrs) {
      if (/^on|^style$/.test(name) || /^\W*(?:java|data)/.test(value)) own.push(`${name}=${value}`);
    }
  }
  return [...own, ...children.flatMap(forbiddenParts)];
}

/** Leaves out what may be written in two ways: line ends, void tags, bare attributes, implied parts of tables. */
function comparable(html: string): string {
  return html
    .replace(/\r\n?/g, '\n')
    .replace(/ ?\/>/g, '>')
    .replace(/ (controls|open|loop|muted|reversed|default|playsinline)(?=[ >])/g, ' $1=""')
    .replace(/<\/?(?:tbody|colgroup)(?: [^>]*)?>/g, '')
    .replace(/(<pre[^>]*>)\n/g, '$1');
}

/** Parses as a browser does for `innerHTML` of a `div`. */
function parseInDiv(html: string): DefaultTreeAdapterTypes.DocumentFragment {
  const [div] = parseFragment('<div></div>').childNodes;
  return parseFragment(div as DefaultTreeAdapterTypes.Element, html, {});
}
