import { describe, expect, test } from '@jest/globals';
import { sanitizeBody } from '../../../services/features/content/sanitize/index.ts';

const id = '3f2504e0-4f89-11d3-9a0c-0305e82c3301';
const clean = [
  '',
  'Plain text, nothing else',
  '<p>Fish &amp; chips</p>',
  `<p>a "quoted" text's &lt;end&gt;</p>`,
  '<p>line<br>line<br />line<br/>line</p><hr><hr />',
  '<p>No-break&nbsp;space, Ünïcödé, 日本語, עברית, 😀👩‍👩‍👧</p>',
  '<p>carriage\r\nreturn\ttab</p>\n\n<p>second</p>\n',
  '<a href="https://example.org/?a=1&amp;b=2#c" title="x" target="_blank" rel="noopener">x</a>',
  '<a href="mailto:a@example.org">a</a><a href="tel:+123">b</a><a href="/x">c</a><a href="#y">d</a><a href="../z">e</a>',
  '<a href="//example.org/x">x</a><a href="?q=a:b">y</a><a href="a/b:c">z</a>',
  '<a id="x" name="y" download hreflang="en"></a>'.replace(' download', ' download=""'),
  `<img src="media:${id}" alt="A picture">`,
  `<img src="media:${id.toUpperCase()}" alt="" />`,
  '<img src="https://example.org/a.png" srcset="/a.png 1x, /b.png 2x" sizes="100vw" alt="x" width="10" height="20" loading="lazy">',
  '<figure class="wide"><picture><source srcset="/a.webp 800w, /b.webp 1600w" type="image/webp" media="(min-width: 1px)"><img src="/a.png" alt="x"></picture><figcaption>Caption</figcaption></figure>',
  '<video src="/a.mp4" poster="/a.png" controls preload="none" width="1"><track src="/a.vtt" kind="captions" srclang="en" label="English" default></video><audio controls><source src="/a.mp3" type="audio/mpeg"></audio>',
  '<table><caption>c</caption><colgroup><col span="2"></colgroup><thead><tr><th scope="col">a</th></tr></thead><tbody><tr><td colspan="2">b</td></tr></tbody></table>',
  '<table>\n  <tr>\n    <td>1</td>\n  </tr>\n</table>',
  '<ul><li>a<ul><li>b</li></ul></li></ul><ol start="3" reversed type="a"><li value="2">c</li></ol>',
  '<dl><dt>a</dt><dd>b</dd><div><dt>c</dt><dd>d</dd></div></dl>',
  '<h1>1</h1><h2 id="two">2</h2><h3>3</h3><h4>4</h4><h5>5</h5><h6>6</h6>',
  '<blockquote cite="https://example.org/"><p>q</p></blockquote><q cite="/x">r</q><cite>s</cite>',
  '<pre><code class="language-js">if (a &lt; b &amp;&amp; c) { d("e"); }\n</code></pre><kbd>k</kbd><samp>s</samp><var>v</var>',
  '<p><b>b</b><i>i</i><u>u</u><s>s</s><em>e</em><strong>s</strong><small>s</small><mark>m</mark><sub>s</sub><sup>s</sup></p>',
  '<p><del datetime="2026-01-01">d</del><ins cite="/x">i</ins><abbr title="x">a</abbr><dfn>d</dfn><time datetime="2026-01-01T00:00:00Z">t</time><data value="1">d</data></p>',
  '<p lang="ar" dir="rtl" role="note" aria-label="x" aria-hidden="true">x</p><bdo dir="ltr">y</bdo><bdi>z</bdi>',
  '<details open><summary>s</summary><p>d</p></details><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>a<wbr>b',
  '<section><header>h</header><article>a</article><aside>b</aside><nav>n</nav><main>m</main><footer>f</footer></section><address>a</address>',
  '<x-component handle="card" vars="{&quot;a&quot;:1,&quot;b&quot;:&quot;x &amp; y&quot;}"></x-component>',
  '<p id="fn:1">a</p><p id="über-uns">b</p><p id="2024">c</p><p id="history">d</p>',
];

test.each(clean)('comes back byte for byte: %s', (html) => {
  expect(sanitizeBody(html)).toEqual({ html, warnings: [] });
});

describe('only the way of writing changes, which is no warning', () => {
  test.each([
    [
      `<x-component handle='a' vars='{"a":1}'></x-component>`,
      '<x-component handle="a" vars="{&quot;a&quot;:1}"></x-component>',
    ],
    [`<x-component handle="a" vars='{}' />b`, '<x-component handle="a" vars="{}"></x-component>b'],
    ['<P CLASS=x>A</P>', '<p class="x">A</p>'],
    ['a & b < c > d', 'a &amp; b &lt; c &gt; d'],
    ['&copy; &mdash; &eacute; &#x1F600; &quot;', '© — é 😀 "'],
    ['<ul><li>a<li>b</ul>', '<ul><li>a</li><li>b</li></ul>'],
    ['<p>one<p>two', '<p>one</p><p>two</p>'],
    ['<p>text<div>x</div>', '<p>text</p><div>x</div>'],
    ['<video controls="controls"></video>', '<video controls></video>'],
    ['<img src=/a.png alt>', '<img src="/a.png" alt="">'],
    ['a\u00a0b', 'a&nbsp;b'],
    ['<img alt="" srcset="/a.png 1.0x,/b.png 2x">', '<img alt="" srcset="/a.png 1x, /b.png 2x">'],
    ['<a href=" /x ">x</a>', '<a href="/x">x</a>'],
    ['<dl><dt>a<dd>b</dl>', '<dl><dt>a</dt><dd>b</dd></dl>'],
    ['<table><tr><td>a<td>b<tr><td>c</table>', '<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>'],
  ])('%s', (html, expected) => {
    expect(sanitizeBody(html)).toEqual({ html: expected, warnings: [] });
  });
});
