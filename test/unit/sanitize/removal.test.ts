import { describe, expect, test } from '@jest/globals';
import { sanitizeBody } from '../../../services/features/content/sanitize/index.ts';
import { tagsRemovedWithContent } from '../../../services/features/content/sanitize/rules.ts';

const htmlOf = (html: string) => sanitizeBody(html).html;
const warningsOf = (html: string) => sanitizeBody(html).warnings.map(({ code, message }) => `${code}: ${message}`);
const codeOf = (tag: string) => (['script', 'iframe'].includes(tag) ? `${tag}_removed` : 'element_removed');
/** The tokenizer reads these to their end tag, or to the end of the text. */
const textOnly = ['script', 'style', 'iframe', 'noembed', 'noframes', 'textarea', 'title', 'xmp'];

describe('goes with all that it contains:', () => {
  test.each(tagsRemovedWithContent.filter((tag) => tag !== 'plaintext'))('%s', (tag) => {
    const html = `<p>a</p><${tag} x=y>1<g onclick=z>2</g><!-- 3 --></${tag}><p>b</p>`;
    expect(htmlOf(html)).toBe('<p>a</p><p>b</p>');
    expect(warningsOf(html)).toEqual([`${codeOf(tag)}: Removed <${tag}> and what it contained (line 1, column 9).`]);
  });

  test('plaintext, which nothing ends', () => {
    expect(htmlOf('a<plaintext>b</plaintext>c')).toBe('a');
  });
});

test.each(['form', 'font', 'button', 'center', 'marquee', 'x-y', 'body'])('of %s the text stays', (tag) => {
  expect(htmlOf(`a<${tag} onclick=x>b<b>c</b></${tag}>d`)).toBe('ab<b>c</b>d');
  expect(warningsOf(`a<${tag}>b</${tag}>d`)).toEqual([
    `element_removed: Removed <${tag}> and kept any text in it (line 1, column 2).`,
  ]);
});

describe('never closed,', () => {
  test.each([...textOnly, 'plaintext'])(
    '%s takes the rest with it, as in a browser, and the warning says so',
    (tag) => {
      expect(htmlOf(`<p>a</p><${tag}>b<p>c</p>`)).toBe('<p>a</p>');
      expect(warningsOf(`<p>a</p><${tag}>b<p>c</p>`)).toEqual([
        `${codeOf(tag)}: Removed <${tag}> and what it contained (line 1, column 9).`,
        `${codeOf(tag)}: Removed everything after <${tag}>, which is never closed (line 1, column 9).`,
      ]);
    },
  );

  test.each(tagsRemovedWithContent.filter((tag) => ![...textOnly, 'plaintext'].includes(tag)))(
    '%s takes nothing with it',
    (tag) => {
      expect(htmlOf(`<${tag}>0</${tag}>a<${tag}>b<cite>c</cite>`)).toBe('ab<cite>c</cite>');
      expect(warningsOf(`a<${tag}>b`)).toEqual([
        `element_removed: Removed <${tag}> and kept any text in it (line 1, column 2).`,
      ]);
    },
  );

  test('each of several is told apart', () => {
    expect(htmlOf('<svg>0</svg>a<object>b<template>c<svg>d<template>e')).toBe('abcde');
    expect(htmlOf('a<object>b<template>0</template>c<template>d')).toBe('abcd');
    expect(htmlOf('a<object>b<object>c</object>d')).toBe('abcd');
  });
});

describe('one inside another of its kind', () => {
  test.each(['svg', 'object', 'template'])('ends its own: %s', (tag) => {
    expect(htmlOf(`<${tag}>1<${tag}>2</${tag}>3</${tag}>a`)).toBe('a');
  });

  test('is not counted when it is empty', () => {
    expect(htmlOf('<svg>1<svg/>2</svg>a')).toBe('a');
  });
});

describe('closed in itself,', () => {
  test.each(['svg', 'math'])('%s is empty', (tag) => {
    expect(htmlOf(`<${tag}/>a`)).toBe('a');
    expect(warningsOf(`<${tag}/>a`)).toEqual([
      `element_removed: Removed <${tag}> and what it contained (line 1, column 1).`,
    ]);
  });

  test('an element of HTML is not', () => {
    expect(htmlOf('<template/>1</template>a')).toBe('a');
  });
});

describe('HTML ends svg and math where a browser ends them:', () => {
  const breakouts =
    `b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing
    menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var`.split(/\s+/);
  test.each(breakouts)('at <%s>', (tag) => {
    for (const foreign of ['svg', 'math']) {
      expect(htmlOf(`<${foreign}>1<${tag}>2`).replace(/<[^>]*>/g, '')).toBe('2');
      expect(htmlOf(`<template>1<${tag}>2</template>3`)).toBe('3');
    }
  });

  test.each(['a', 'g', 'text', 'font', 'section', 'desc'])('not at <%s>', (tag) => {
    expect(htmlOf(`<svg>1<${tag}>2</${tag}></svg>3`)).toBe('3');
  });

  test.each(['foreignobject', 'desc', 'mi', 'mo', 'mn', 'ms', 'mtext', 'annotation-xml'])(
    'not inside <%s>',
    (holder) => {
      for (const foreign of ['svg', 'math']) {
        expect(htmlOf(`<${foreign}><${holder}>1<p>2</p></${holder}></${foreign}>3`)).toBe('3');
        expect(htmlOf(`<${foreign}><${holder}></${holder}>1<p>2</p>`)).toBe('<p>2</p>');
        expect(htmlOf(`<${foreign}><${holder}/>1<p>2</p>`)).toBe('<p>2</p>');
      }
    },
  );

  test('holders inside one another are counted, and only those that were opened', () => {
    expect(htmlOf('<svg><foreignobject><desc></desc>1<p>2</p></foreignobject></svg>3')).toBe('3');
    expect(htmlOf('<svg></desc><foreignobject>1<p>2</p></foreignobject></svg>3')).toBe('3');
    expect(htmlOf('<svg></g><foreignobject></g>1<p>2</p></foreignobject></svg>3')).toBe('3');
  });
});

test.each([
  ['<!-- 1 -->', 'a comment', 5],
  ['<!-->', 'a comment', 5],
  ['<!---->', 'a comment', 5],
  ['<!-- 1', 'a comment', 5],
  ['<!>', 'a comment', 3],
  ['<!1>', 'a comment', 3],
  ['<?php 1 ?>', 'a comment', 2],
  ['</ 1>', 'a comment', 3],
  ['<!doctype 1>', 'a declaration', 3],
  ['<![CDATA[1]]>', 'a CDATA section', 10],
])('%s goes as %s', (markup, what, column) => {
  expect(htmlOf(`a${markup}`)).toBe('a');
  expect(warningsOf(`a${markup}`)).toEqual([`comment_removed: Removed ${what} (line 1, column ${column + 1}).`]);
});

test('what stands inside removed content is not reported again', () => {
  for (const inner of [
    '<!-- 1 -->',
    '<!x>',
    '<!doctype x>',
    '<?x?>',
    '<![CDATA[1]]>',
    '&#0;',
    '<p style=x a=&#0;>',
    '</p>',
    '<script>1</script>',
  ]) {
    expect(warningsOf(`<template>${inner}</template>`)).toHaveLength(1);
    expect(htmlOf(`<template>${inner}</template>a`)).toBe('a');
  }
});
