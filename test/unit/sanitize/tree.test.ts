import { afterEach, describe, expect, test } from '@jest/globals';
import { parseFragment } from 'parse5';
import { sanitizeBody } from '../../../services/features/content/sanitize/index.ts';
import { limits } from '../../../services/features/content/sanitize/rules.ts';

/**
 * Returns the clean text, and the repairs: `message @column ×times`, with the code unless that is `markup_repaired`.
 */
function read(html: string): [string, ...string[]] {
  const { html: clean, warnings } = sanitizeBody(html);
  const place = / \((?:(\d+) times, first at )?line 1, column (\d+)\)\.$/;
  const repairs = warnings.map(({ code, message }) => {
    const text = message.replace(place, (_, times, column) => ` @${column}${times ? ` ×${times}` : ''}`);
    return code === 'markup_repaired' ? text : `${code}: ${text}`;
  });
  return [clean, ...repairs];
}

const rows = (table: [string, string, ...string[]][]) =>
  table.map(([html, expected, ...repairs]) => [html, expected, repairs] as const);

describe('parts of a table stand where a browser puts them:', () => {
  test.each(
    rows([
      [
        '<table>text</table>',
        '<table><tr><td>text</td></tr></table>',
        'Put content directly inside <table> into a table cell @8',
      ],
      [
        '<table>a<tr>b<td>c</td>d</tr>e</table>',
        '<table><tr><td>a</td></tr><tr><td>b</td><td>c</td><td>d</td></tr><tr><td>e</td></tr></table>',
        'Put content directly inside <table> into a table cell @8 ×2',
        'Put content directly inside <tr> into a table cell @13 ×2',
      ],
      [
        '<table><b>x</b></table>',
        '<table><tr><td><b>x</b></td></tr></table>',
        'Put content directly inside <table> into a table cell @8',
      ],
      [
        '<table><colgroup>x</colgroup></table>',
        '<table><colgroup></colgroup><tr><td>x</td></tr></table>',
        'Put content directly inside <colgroup> into a table cell @18',
        'Removed </colgroup> without a start tag @19',
      ],
      [
        '<table><colgroup><col><b>x</b></table>',
        '<table><colgroup><col></colgroup><tr><td><b>x</b></td></tr></table>',
        'Put content directly inside <colgroup> into a table cell @23',
      ],
      ['<table><td>a</table>', '<table><tr><td>a</td></tr></table>', 'Put <td> into a table row @8'],
      ['<table><tr><td>a<th>b</table>', '<table><tr><td>a</td><th>b</th></tr></table>'],
      ['<table><caption>c<tr><td>x</table>', '<table><caption>c</caption><tr><td>x</td></tr></table>'],
      [
        '<table><caption>a<table><tr><td>b</table></caption></table>',
        '<table><caption>a<table><tr><td>b</td></tr></table></caption></table>',
      ],
      [
        '<table><thead><tr><th>a<tbody><tr><td>b<tfoot><tr><td>c</table>',
        '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody><tfoot><tr><td>c</td></tr></tfoot></table>',
      ],
      [
        '<table><tbody>x</table>',
        '<table><tbody><tr><td>x</td></tr></tbody></table>',
        'Put content directly inside <tbody> into a table cell @15',
      ],
      [
        '<td>a</td>',
        'a',
        'element_removed: Removed <td> outside a table and kept its content @1',
        'Removed </td> without a start tag @6',
      ],
      [
        '<table><tr><td><tr>a</table>',
        '<table><tr><td></td></tr><tr><td>a</td></tr></table>',
        'Put content directly inside <tr> into a table cell @20',
      ],
      [
        '<table><tr><td><ul><li>a<td>b</table>',
        '<table><tr><td><ul><li>a</li></ul></td><td>b</td></tr></table>',
        'Closed an unclosed <ul> @25',
      ],
      ['<table><tr><td><p>a</table>b', '<table><tr><td><p>a</p></td></tr></table>b'],
      ['<table><tr><td><b>a</table>b', '<table><tr><td><b>a</b></td></tr></table>b', 'Closed an unclosed <b> @20'],
      [
        '<table><tr><td></b>a</td></tr></table>',
        '<table><tr><td>a</td></tr></table>',
        'Removed </b> without a start tag @16',
      ],
      [
        '<table><tr><td>a</tr>b</td></table>',
        '<table><tr><td>a</td></tr><tr><td>b</td></tr></table>',
        'Put content directly inside <table> into a table cell @22',
      ],
      ['<table><tr><td>x', '<table><tr><td>x</td></tr></table>', 'Closed an unclosed <table> @17'],
      ['<table> <tr> <td>x</td> </tr> </table>', '<table> <tr> <td>x</td> </tr> </table>'],
      [
        '<table>&nbsp;<tr><td>a</table>',
        '<table><tr><td>&nbsp;</td></tr><tr><td>a</td></tr></table>',
        'Put content directly inside <table> into a table cell @14',
      ],
      [
        '<table><br></table>',
        '<table><tr><td><br></td></tr></table>',
        'Put content directly inside <table> into a table cell @8',
      ],
      [
        '<table><tr><br></table>',
        '<table><tr><td><br></td></tr></table>',
        'Put content directly inside <tr> into a table cell @12',
      ],
      [
        '<table><x-component handle="a"></x-component></table>',
        '<table><tr><td><x-component handle="a"></x-component></td></tr></table>',
        'Put content directly inside <table> into a table cell @8',
      ],
      [
        '<colgroup><col>',
        '',
        'element_removed: Removed <colgroup> outside a table and kept its content @1',
        'element_removed: Removed <col> outside a table and kept its content @11',
      ],
      [
        '<table><caption>a<td>b</table>',
        '<table><caption>a</caption><tr><td>b</td></tr></table>',
        'Put <td> into a table row @18',
      ],
      ['<table><thead><col></table>', '<table><thead></thead><col></table>'],
      ['<table><tbody><caption>a</table>', '<table><tbody></tbody><caption>a</caption></table>'],
      ['<table><tr><td>a<col></table>', '<table><tr><td>a</td></tr><col></table>'],
    ]),
  )('%s', (html, expected, repairs) => {
    expect(read(html)).toEqual([expected, ...repairs]);
  });
});

describe('an end tag ends what it can:', () => {
  test.each(
    rows([
      [
        '<b><table><tr><td></b>a</td></tr></table></b>',
        '<b><table><tr><td>a</td></tr></table></b>',
        'Removed </b> without a start tag @19',
      ],
      [
        '<div><table><tr><td>a</div>b</td></tr></table></div>',
        '<div><table><tr><td>ab</td></tr></table></div>',
        'Removed </div> without a start tag @22',
      ],
      [
        '<b>1<i>2<p>3</b>4</i>5</p>',
        '<b>1<i>2<p>345</p></i></b>',
        'Moved </b> behind the block it crossed @13',
        'Moved </i> behind the block it crossed @18',
      ],
      [
        '<b><p>x</b>y</p>z</b>',
        '<b><p>xy</p></b>z',
        'Moved </b> behind the block it crossed @8',
        'Removed </b> without a start tag @18',
      ],
      ['<b><div>x</b><p>y</p></div>z', '<b><div>x<p>y</p></div></b>z', 'Moved </b> behind the block it crossed @10'],
      [
        '<b><i><div>a</b>b</i>c</div>d',
        '<b><i><div>abc</div></i></b>d',
        'Moved </b> behind the block it crossed @13',
        'Moved </i> behind the block it crossed @18',
      ],
      ['<span><div>a</span></div>b', '<span><div>a</div></span>b', 'Moved </span> behind the block it crossed @13'],
      [
        '<div><span>a</div>b</span>',
        '<div><span>a</span></div>b',
        'Closed an unclosed <span> @13',
        'Removed </span> without a start tag @20',
      ],
      ['<div><p>a</div>b', '<div><p>a</p></div>b'],
      ['a</br>b', 'a<br>b', 'Read </br> as <br> @2'],
      ['<img alt="" /></img>', '<img alt="" />', 'Removed </img> without a start tag @15'],
      ['x</p>y', 'xy', 'Removed </p> without a start tag @2'],
      ['<b>x', '<b>x</b>', 'Closed an unclosed <b> @5'],
      ['<div>x', '<div>x</div>', 'Closed an unclosed <div> @7'],
      ['<div><b>x', '<div><b>x</b></div>', 'Closed an unclosed <div> @10', 'Closed an unclosed <b> @10'],
      ['<div><p>x', '<div><p>x</p></div>', 'Closed an unclosed <div> @10'],
    ]),
  )('%s', (html, expected, repairs) => {
    expect(read(html)).toEqual([expected, ...repairs]);
  });
});

describe('items and terms end those before them:', () => {
  test.each(
    rows([
      ['<ul><li>a<li>b<ul><li>c</ul><li>d</ul>', '<ul><li>a</li><li>b<ul><li>c</li></ul></li><li>d</li></ul>'],
      [
        '<ul><li>a<div><li>b</div></ul>',
        '<ul><li>a<div></div></li><li>b</li></ul>',
        'Closed an unclosed <div> @15',
        'Removed </div> without a start tag @20',
      ],
      ['<ul><li>a<section><li>b</section></ul>', '<ul><li>a<section><li>b</li></section></li></ul>'],
      ['<ul><li>a<p>b<li>c</ul>', '<ul><li>a<p>b</p></li><li>c</li></ul>'],
      ['<ul><li><ul></li>x</ul></ul>', '<ul><li><ul>x</ul></li></ul>', 'Removed </li> without a start tag @13'],
      ['<li>a<dd>b<li>c', '<li>a<dd>b<li>c</li></dd></li>'],
      ['<dl><dt>a<dd>b<dt>c</dl>', '<dl><dt>a</dt><dd>b</dd><dt>c</dt></dl>'],
      ['<dl><dd><ul><li>a<dd>b</ul></dl>', '<dl><dd><ul><li>a<dd>b</dd></li></ul></dd></dl>'],
      ['<dl><dt><section><dd>a</section></dl>', '<dl><dt><section><dd>a</dd></section></dt></dl>'],
      [
        '<ul><li><div></ul></li>',
        '<ul><li><div></div></li></ul>',
        'Closed an unclosed <div> @14',
        'Removed </li> without a start tag @19',
      ],
      ['<table><tr><td></li>a</table>', '<table><tr><td>a</td></tr></table>', 'Removed </li> without a start tag @16'],
      ['<ul></li></ul>', '<ul></ul>', 'Removed </li> without a start tag @5'],
      ['<ol><li>a<ul></ol>', '<ol><li>a<ul></ul></li></ol>', 'Closed an unclosed <ul> @14'],
    ]),
  )('%s', (html, expected, repairs) => {
    expect(read(html)).toEqual([expected, ...repairs]);
  });
});

describe('what cannot stand inside itself ends it:', () => {
  test.each(
    rows([
      ['<p>a<div>b</div>c</p>', '<p>a</p><div>b</div>c', 'Removed </p> without a start tag @18'],
      [
        '<p>a<b>b<p>c</b>d</p>',
        '<p>a<b>b</b></p><p>cd</p>',
        'Closed an unclosed <b> @9',
        'Removed </b> without a start tag @13',
      ],
      ['<p>a<table><tr><td><p>b</table>', '<p>a</p><table><tr><td><p>b</p></td></tr></table>'],
      [
        '<p><table><tr><td><div>x</div></table></p>',
        '<p></p><table><tr><td><div>x</div></td></tr></table>',
        'Removed </p> without a start tag @39',
      ],
      [
        '<h1>a<h2>b</h2></h1>',
        '<h1>a</h1><h2>b</h2>',
        'Closed <h1> before the next one @6',
        'Removed </h1> without a start tag @16',
      ],
      ['<h1>a</h2>b', '<h1>a</h1>b', 'Closed <h1> at </h2> @6'],
      ['<h1><b>a<h2>b</h2></b></h1>', '<h1><b>a<h2>b</h2></b></h1>'],
      ['<h1><table><tr><td><h2>a</h2></table></h1>', '<h1><table><tr><td><h2>a</h2></td></tr></table></h1>'],
      [
        '<h1><div>a</h2></div>b',
        '<h1><div>a</div></h1>b',
        'Closed <h1> at </h2> @11',
        'Closed an unclosed <div> @11',
        'Removed </div> without a start tag @16',
      ],
      [
        '<a href="/1">a<a href="/2">b</a>c',
        '<a href="/1">a</a><a href="/2">b</a>c',
        'Closed <a> before the next one @15',
      ],
      [
        '<a>a<b>b<a>c</b>d',
        '<a>a<b>b</b></a><a>cd</a>',
        'Closed <a> before the next one @9',
        'Closed an unclosed <b> @9',
        'Removed </b> without a start tag @13',
        'Closed an unclosed <a> @18',
      ],
      ['<a><table><tr><td><a>b</a></td></tr></table></a>', '<a><table><tr><td><a>b</a></td></tr></table></a>'],
      ['<p>x', '<p>x</p>'],
    ]),
  )('%s', (html, expected, repairs) => {
    expect(read(html)).toEqual([expected, ...repairs]);
  });
});

describe('parts of ruby end those before them:', () => {
  test.each(
    rows([
      ['<ruby>a<rt>b<rp>c<rt>d</ruby>', '<ruby>a<rt>b</rt><rp>c</rp><rt>d</rt></ruby>'],
      ['<ruby><rt><p>a<rt>b</ruby>', '<ruby><rt><p>a</p></rt><rt>b</rt></ruby>'],
      ['<ruby><rt><ul><li>a<rt>b</ul></ruby>', '<ruby><rt><ul><li>a</li><rt>b</rt></ul></rt></ruby>'],
      ['<rt>a<rt>b', '<rt>a</rt><rt>b</rt>', 'Closed <rt> before the next one @6'],
      ['<rt>a<p>b<rt>c', '<rt>a<p>b<rt>c</rt></p></rt>'],
      [
        '<ruby><table><tr><td><rt>a<rt>b</table></ruby>',
        '<ruby><table><tr><td><rt>a</rt><rt>b</rt></td></tr></table></ruby>',
      ],
      ['<ruby><b><rt>a</b><rp>b</ruby>', '<ruby><b><rt>a</rt></b><rp>b</rp></ruby>'],
    ]),
  )('%s', (html, expected, repairs) => {
    expect(read(html)).toEqual([expected, ...repairs]);
  });
});

describe('ends and beginnings stay within their table and their list:', () => {
  test.each(
    rows([
      ['<ul><li>a<pre><li>b</pre></ul>', '<ul><li>a<pre><li>b</li></pre></li></ul>'],
      ['<ul><li>a<hgroup><li>b</hgroup></ul>', '<ul><li>a<hgroup><li>b</li></hgroup></li></ul>'],
      [
        '<table><tr><td><div>a</td><td>b</table>',
        '<table><tr><td><div>a</div></td><td>b</td></tr></table>',
        'Closed an unclosed <div> @22',
      ],
      [
        '<div><table></div><tr><td>x</table></div>',
        '<div><table><tr><td>x</td></tr></table></div>',
        'Removed </div> without a start tag @13',
      ],
      [
        '<b><table></b><tr><td>x</table></b>',
        '<b><table><tr><td>x</td></tr></table></b>',
        'Removed </b> without a start tag @11',
      ],
      [
        '<h2><table><tr></h2><td>x</table></h2>',
        '<h2><table><tr><td>x</td></tr></table></h2>',
        'Removed </h2> without a start tag @16',
      ],
      ['<table><th>a</table>', '<table><tr><th>a</th></tr></table>', 'Put <th> into a table row @8'],
      [
        '<table><tbody><td>a</table>',
        '<table><tbody><tr><td>a</td></tr></tbody></table>',
        'Put <td> into a table row @15',
      ],
      ['<ol><li><ol></li>x</ol></ol>', '<ol><li><ol>x</ol></li></ol>', 'Removed </li> without a start tag @13'],
      ['<ul><li><b>x</li></ul>', '<ul><li><b>x</b></li></ul>', 'Closed an unclosed <b> @13'],
      ['<ul><li><div>x</li></ul>', '<ul><li><div>x</div></li></ul>', 'Closed an unclosed <div> @15'],
      ['<dl><dt>a<div>b<dd>c</dl>', '<dl><dt>a<div>b</div></dt><dd>c</dd></dl>', 'Closed an unclosed <div> @16'],
      ['<dl><dd>a<p>b<dd>c</dl>', '<dl><dd>a<p>b</p></dd><dd>c</dd></dl>'],
      ['<ruby>a</ruby><rt>a<p>b<rt>c', '<ruby>a</ruby><rt>a<p>b<rt>c</rt></p></rt>'],
      [
        '<p>a<b>b<i>c<p>d',
        '<p>a<b>b<i>c</i></b></p><p>d</p>',
        'Closed an unclosed <i> @13',
        'Closed an unclosed <b> @13',
      ],
      [
        '<p><span>a<div>b</div></span></p>',
        '<p><span>a</span></p><div>b</div>',
        'Closed an unclosed <span> @11',
        'Removed </span> without a start tag @23',
        'Removed </p> without a start tag @30',
      ],
      [
        '<table><tr><td><h1>a<td><h2>b</table>',
        '<table><tr><td><h1>a</h1></td><td><h2>b</h2></td></tr></table>',
        'Closed an unclosed <h1> @21',
        'Closed an unclosed <h2> @30',
      ],
      [
        '<h1><table><tr><td></h1>b</table></h1>',
        '<h1><table><tr><td>b</td></tr></table></h1>',
        'Removed </h1> without a start tag @20',
      ],
      [
        '<a><table><tr><td><a>b<a>c</table></a>',
        '<a><table><tr><td><a>b</a><a>c</a></td></tr></table></a>',
        'Closed <a> before the next one @23',
        'Closed an unclosed <a> @27',
      ],
    ]),
  )('%s', (html, expected, repairs) => {
    expect(read(html)).toEqual([expected, ...repairs]);
  });
});

test.each(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'])(
  '%s ends a heading before it, and is ended by the end of any',
  (tag) => {
    expect(read(`<h1>a<${tag}>b</h2>c`)[0]).toBe(`<h1>a</h1><${tag}>b</${tag}>c`);
    expect(read(`<${tag}>a<h1>b</h1>c`)[0]).toBe(`<${tag}>a</${tag}><h1>b</h1>c`);
  },
);

describe('nesting too deep', () => {
  const deep = (tag: string, count: number) => `<${tag}>`.repeat(count);
  const ends = (tag: string, count: number) => `</${tag}>`.repeat(count);
  const flattened = 'nesting_flattened: Removed tags nested deeper than 100 levels, kept their text';

  test('loses its tags and those alone, and the ends that belong to them', () => {
    expect(read(`${deep('div', 100)}<b>x</b><i>y</i>${ends('div', 100)}<b>z</b>`)).toEqual([
      `${deep('div', 100)}xy${ends('div', 100)}<b>z</b>`,
      `${flattened} @501 ×2`,
    ]);
    expect(read(`${deep('div', 100)}<b><b>x</b></b></b>${ends('div', 100)}`)).toEqual([
      `${deep('div', 100)}x${ends('div', 100)}`,
      `${flattened} @501 ×2`,
      'Removed </b> without a start tag @516',
    ]);
  });

  test('void elements and parts of a table do not nest', () => {
    const html = `${deep('div', 99)}<table><tr><td><br>x</td></tr></table>${ends('div', 99)}`;
    expect(read(html)).toEqual([html]);
  });
});

describe('more elements than are allowed', () => {
  const { maxElements } = limits;
  const flattened = 'nesting_flattened: Removed all tags after 3 elements, kept their text';
  afterEach(() => {
    limits.maxElements = maxElements;
  });

  test.each(
    rows([
      ['<div><b>x</b><i>y</i></div>z', '<div><b>x</b><i>y</i></div>z'],
      ['<div><b>x</b><i>y<u>z</u></i>w</div>v', '<div><b>x</b><i>y</i></div>zwv', `${flattened} @18`],
      ['<div><b>x</b><br>y<br>z<br></div>', '<div><b>x</b><br>y</div>z', `${flattened} @19`],
      ['<p>a</p><p>b</p><p>c</p><i>d</i><td>d</td></b></br>e', '<p>a</p><p>b</p><p>c</p>dde', `${flattened} @25`],
      ['<table><tr><td>a</table><table><td>b', '<table><tr><td>a</td></tr></table>b', `${flattened} @25`],
      [
        '<div><table>a</table>',
        '<div><table><tr></tr></table></div>a',
        'Put content directly inside <table> into a table cell @13',
        `${flattened} @13`,
      ],
    ]),
  )('lose their tags and keep their text: %s', (html, expected, repairs) => {
    limits.maxElements = 3;
    expect(read(html)).toEqual([expected, ...repairs]);
  });
});

test('why not the tree of parse5: below any limit of depth, each paragraph repeats what was left open before it', () => {
  const open = Array.from({ length: limits.maxDepth }, (_, n) => `<b class="c${n}">`).join('');
  const html = `<p>${open}${'<p>x'.repeat(500)}`;
  const countNodes = ({ childNodes = [] }: { childNodes?: object[] }): number =>
    childNodes.reduce((sum: number, child) => sum + countNodes(child), 1);
  expect(countNodes(parseFragment(html))).toBeGreaterThan(500 * limits.maxDepth);
  expect(sanitizeBody(html).html.match(/<[a-z]/g)!.length).toBeLessThan(500 + 2 * limits.maxDepth);
});
