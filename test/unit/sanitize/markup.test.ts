import { describe, expect, test } from '@jest/globals';
import { sanitizeBody } from '../../../services/features/content/sanitize/index.ts';

/** Returns the clean text, and the messages. */
function read(html: string): [string, ...string[]] {
  const { html: clean, warnings } = sanitizeBody(html);
  return [clean, ...warnings.map(({ message }) => message)];
}

describe('a tag that the end of the text cuts off goes', () => {
  test.each([
    ['text<b', 'text', 5],
    ['text</b', 'text', 5],
    ['text<s', 'text', 5],
    ['text<scrip', 'text', 5],
    ['text</p', 'text', 5],
    ['<p>a</p><p', '<p>a</p>', 9],
    ['<p>a</p>b<t', '<p>a</p>b', 10],
    ['text<b class', 'text', 5],
    ['text<b class=', 'text', 5],
    ['text<b class="x', 'text', 5],
    ['text<b class="x"', 'text', 5],
    ['a &amp; b<i', 'a &amp; b', 10],
    ['a<br>b<i', 'a<br>b', 7],
    ['<!-- --><i', '', 9],
    ['</p', '', 1],
  ])('%j becomes %j', (html, clean, column) => {
    const message = `Removed an unfinished tag (line 1, column ${column}).`;
    expect(sanitizeBody(html).warnings).toContainEqual({ code: 'markup_repaired', message });
    expect(read(html)[0]).toBe(clean);
  });

  test.each(['<p>a</p x', '<p>a</p ', '<p>a</p\tx="', '<p>a</p x y=z'])(
    '%j: an end tag that was named is one',
    (html) => {
      const message = 'Completed an unfinished end tag (line 1, column 8).';
      expect(sanitizeBody(html)).toEqual({ html: '<p>a</p>', warnings: [{ code: 'markup_repaired', message }] });
    },
  );

  test.each([
    ['a<', 'a&lt;'],
    ['a</', 'a&lt;/'],
    ['a< b', 'a&lt; b'],
    ['<<1', '&lt;&lt;1'],
    ['a<<&amp;', 'a&lt;&lt;&amp;'],
    ['a<1>', 'a&lt;1&gt;'],
    ['<p>a</p>>', '<p>a</p>&gt;'],
    ['<p>a</p >b', '<p>a</p>b'],
    ['a<!-- 1 -->b', 'ab'],
    ['a<br>b<i>c</i>d', 'a<br>b<i>c</i>d'],
    ['a<b></b', 'a<b></b>'],
  ])('%j becomes %j', (html, clean) => {
    expect(read(html)[0]).toBe(clean);
  });
});

test('void elements end as they were written', () => {
  const html = '<br><br/><br />a<hr/><img alt=""/><img alt="" /><wbr>';
  expect(read(html)).toEqual([html]);
  expect(read('<br\n/><br/ ><BR  />')).toEqual(['<br /><br/><br />']);
});

test('an element that is no void one is not closed by a slash, a component is', () => {
  expect(read('<b/>x</b>')).toEqual(['<b>x</b>']);
  expect(read('<x-component handle="a" />b<x-component handle="c"/>')).toEqual([
    '<x-component handle="a"></x-component>b<x-component handle="c"></x-component>',
  ]);
});

test('attributes of an element that goes are not reported', () => {
  expect(read('<form style=x a=&#0; a=1 onclick=y>z</form>')).toEqual([
    'z',
    'Removed <form> and kept any text in it (line 1, column 1).',
  ]);
});

test('attributes without a value, and the value of none before them', () => {
  expect(read('<video title="a" controls class=b loop muted></video>')).toEqual([
    '<video title="a" controls class="b" loop muted></video>',
  ]);
  expect(read('<p title=a lang></p>')).toEqual(['<p title="a" lang=""></p>']);
});

test('references are read, those that forbid themselves go with a warning at their end', () => {
  expect(read('a&lt;b&amp;&hearts;&#x1F600;')).toEqual(['a&lt;b&amp;♥😀']);
  expect(read('ab&#0;c')).toEqual(['abc', 'Removed a reference to a forbidden character (line 1, column 7).']);
  expect(read('<p title="a&amp;b&#1;" lang="&#1;"></p>')).toEqual([
    '<p title="a&amp;b" lang=""></p>',
    'Removed a reference to a forbidden character (2 times, first at line 1, column 4).',
  ]);
});

test('a browser reads the first of two attributes with one name', () => {
  expect(read('<p Title="a" TITLE="b" title="c"></p>')).toEqual([
    '<p title="a"></p>',
    'Removed a second title from <p> (2 times, first at line 1, column 14).',
  ]);
});

test('a name in a warning is cut to forty characters', () => {
  const name = 'x'.repeat(41);
  expect(read(`<${name}>a`)[1]).toBe(`Removed <${'x'.repeat(40)}…> and kept any text in it (line 1, column 1).`);
  expect(read(`<${name.slice(1)}>a`)[1]).toBe(
    `Removed <${'x'.repeat(40)}> and kept any text in it (line 1, column 1).`,
  );
  expect(read(`<p ${'x'.repeat(39)}😀=1></p>`)[1]).toBe(
    `Removed the attribute ${'x'.repeat(39)}\ufffd… from <p> (line 1, column 4).`,
  );
});

test('places are lines and columns of the text, counted from one', () => {
  expect(read('<x>\n<y>\n\n <z><form>\n')).toEqual([
    '\n\n\n \n',
    'Removed <x> and kept any text in it (line 1, column 1).',
    'Removed <y> and kept any text in it (line 2, column 1).',
    'Removed <z> and kept any text in it (line 4, column 2).',
    'Removed <form> and kept any text in it (line 4, column 5).',
  ]);
});

test('a line end itself belongs to its line', () => {
  expect(read('a\n\0\n\0')).toEqual(['a\n\n', 'Removed the character U+0000 (2 times, first at line 2, column 1).']);
  expect(read('<b\n')).toEqual(['', 'Removed an unfinished tag (line 1, column 1).']);
});
