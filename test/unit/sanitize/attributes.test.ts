import { describe, expect, test } from '@jest/globals';
import { sanitizeBody } from '../../../services/features/content/sanitize/index.ts';
import {
  attributesByTag,
  booleanAttributes,
  globalAttributes,
  namePattern,
  refusedNames,
  urlAttributes,
  voidTags,
} from '../../../services/features/content/sanitize/rules.ts';

const closed = (tag: string, attributes: string) =>
  voidTags.includes(tag) ? `<${tag}${attributes}>` : `<${tag}${attributes}></${tag}>`;
/** Returns the remaining markup and the messages of the warnings. */
function sanitize(html: string): [string, ...string[]] {
  const { html: left, warnings } = sanitizeBody(html);
  return [left, ...warnings.map(({ code, message }) => `${code}: ${message}`)];
}

describe('every attribute of the tables stays, on its element and on no other:', () => {
  const own = Object.entries(attributesByTag).flatMap(([tag, names]) => names.map((name) => [tag, name] as const));
  /** The required parent of an element. */
  const around = { col: 'table', colgroup: 'table', td: 'table', th: 'table' } as Record<string, string>;
  test.each(own)('<%s %s>', (tag, name) => {
    const value = name === 'target' ? '_self' : name in urlAttributes ? '/x' : 'x';
    const attribute = booleanAttributes.includes(name) ? ` ${name}` : ` ${name}="${value}"`;
    const { html } = sanitizeBody(`${around[tag] ? `<${around[tag]}>` : ''}${closed(tag, attribute)}`);
    expect(html).toContain(`<${tag}${attribute}`);
    expect(sanitizeBody(`<b${attribute}></b>`).html).toBe('<b></b>');
  });

  test.each(globalAttributes)('%s everywhere', (name) => {
    const html = `<b ${name}="${name === 'dir' ? 'auto' : 'x'}"></b>`;
    expect(sanitize(html)).toEqual([html]);
  });
});

test.each([
  ['style="x"', 'inline_style_removed: Removed the inline style from <p>'],
  ['onclick="x"', 'event_handler_removed: Removed the event handler onclick from <p>'],
  ['on="x"', 'event_handler_removed: Removed the event handler on from <p>'],
  ['data-on="x"', 'attribute_removed: Removed the attribute data-on from <p>'],
  ['href="/x"', 'attribute_removed: Removed the attribute href from <p>'],
  ['constructor="x"', 'attribute_removed: Removed the attribute constructor from <p>'],
  ['class=""', 'attribute_removed: Removed an empty class from <p>'],
  ['dir="up"', 'attribute_removed: Removed dir from <p>: its value is not allowed'],
  ['id="a b"', 'attribute_removed: Removed id from <p>: this name is not allowed'],
  ['title="a" title="b"', 'attribute_removed: Removed a second title from <p>', ' title="a"'],
])('%s goes, and the warning says which', (attributes, warning, left = '') => {
  const column = attributes.lastIndexOf(' ') > 0 && left ? 4 + attributes.indexOf(' ') + 1 : 4;
  expect(sanitize(`<p ${attributes}></p>`)).toEqual([`<p${left}></p>`, `${warning} (line 1, column ${column}).`]);
});

test('an empty title stays, an empty class is none', () => {
  expect(sanitize('<p title="" class="a"></p>')).toEqual(['<p title="" class="a"></p>']);
});

describe('rel loses the words that hand over the page:', () => {
  test.each([
    ['noopener  opener nofollow', 'noopener nofollow'],
    ['noopener \n OPENER', 'noopener'],
    ['opener a\tb', 'a b'],
  ])('%j becomes %j', (rel, left) => {
    expect(sanitize(`<a rel="${rel}"></a>`)).toEqual([
      `<a rel="${left}"></a>`,
      'attribute_removed: Removed "opener" from rel of <a> (line 1, column 4).',
    ]);
  });

  test('of nothing else nothing is left', () => {
    expect(sanitize('<a rel="opener"></a>')[0]).toBe('<a></a>');
  });

  test.each(['noopener', 'a  b', '', 'openers'])('%j is left as it is', (rel) => {
    expect(sanitize(`<a rel="${rel}"></a>`)).toEqual([`<a rel="${rel}"></a>`]);
  });
});

describe('values of which only a few are allowed:', () => {
  test.each([
    ['a', 'target', ['_blank', '_self', '_BLANK'], ['_top', '_parent', 'frame', '']],
    ['p', 'dir', ['ltr', 'rtl', 'auto', 'RTL'], ['up', 'ltr ', '']],
  ])('<%s %s>', (tag, name, allowed, refused) => {
    for (const value of allowed)
      expect(sanitize(`<${tag} ${name}="${value}"></${tag}>`)).toEqual([`<${tag} ${name}="${value}"></${tag}>`]);
    for (const value of refused) expect(sanitize(`<${tag} ${name}="${value}"></${tag}>`)[0]).toBe(`<${tag}></${tag}>`);
  });
});

describe('ids and names', () => {
  test.each(refusedNames)('%s is none, in whatever case', (name) => {
    for (const value of [name, name.toUpperCase()]) {
      expect(sanitizeBody(`<a id="${value}"></a><a name="${value}"></a>`).html).toBe('<a></a><a></a>');
    }
  });

  test.each(['a', '_', '9', 'é', 'a.b:c-d_e', `a${'b'.repeat(199)}`, 'ae\u0301'])('%j is one', (value) => {
    expect(namePattern.test(value)).toBe(true);
    expect(sanitize(`<p id="${value}"></p>`)).toEqual([`<p id="${value}"></p>`]);
  });

  test.each(['', ' ', 'a b', '-a', '.a', ':a', `a${'b'.repeat(200)}`, 'a"b', 'a!', '\u0301a'])(
    '%j is none',
    (value) => {
      expect(namePattern.test(value)).toBe(false);
    },
  );
});

test('values are written so that they end where they should', () => {
  expect(sanitize(`<p title='"&amp;&lt;&gt;"&amp;<>'></p>`)).toEqual([
    '<p title="&quot;&amp;&lt;&gt;&quot;&amp;&lt;&gt;"></p>',
  ]);
});
