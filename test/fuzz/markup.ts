import fc from 'fast-check';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { allowedTags } from '../../services/features/content/sanitize/rules.ts';

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
/** Fragments of every construct of HTML. */
export const pieces = [
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
/** HTML of elements, stray tags and invalid text in any order. */
export const markup = fc.array(token, { maxLength: 40 }).map((tokens) => tokens.join(''));

/** Names every element, comment, handler, style or active URL in the tree that is not allowed. */
export function forbiddenParts(node: DefaultTreeAdapterTypes.Node): string[] {
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

/** Normalizes equivalent notations: line ends, void tags, bare attributes, implied parts of tables. */
export function comparable(html: string): string {
  return html
    .replace(/\r\n?/g, '\n')
    .replace(/ ?\/>/g, '>')
    .replace(/ (controls|open|loop|muted|reversed|default|playsinline)(?=[ >])/g, ' $1=""')
    .replace(/<\/?(?:tbody|colgroup)(?: [^>]*)?>/g, '')
    .replace(/(<pre[^>]*>)\n/g, '$1');
}

/** Parses as a browser does for `innerHTML` of a `div`. */
export function parseInDiv(html: string): DefaultTreeAdapterTypes.DocumentFragment {
  const [div] = parseFragment('<div></div>').childNodes;
  return parseFragment(div as DefaultTreeAdapterTypes.Element, html, {});
}
