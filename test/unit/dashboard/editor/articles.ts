/** Articles as they are stored, by what is special about them. */
export const articles: readonly (readonly [name: string, html: string])[] = [
  [
    'prose',
    '<h1 id="top">A</h1>\n<p class="lead">One <strong>two <em>three</em></strong> four.</p>\n<hr>\n<p>End.</p>\n',
  ],
  ['text without a paragraph', 'One\n<b>two</b><p>three</p>four'],
  ['a link around marked text', '<p>a <a href="/x" rel="nofollow" target="_blank">b <em>c</em> d</a> e</p>'],
  [
    'elements in one another that are alike',
    '<p><b class="x"><strong>a</strong> b</b> <span><span lang="fr">c</span></span></p>',
  ],
  [
    'lists',
    '<ol start="3" type="a"><li>a</li><li value="9"><p>b</p><p>c</p><ul><li>d</li></ul></li><li></li></ol><ul><li><h3>e</h3></li></ul>',
  ],
  [
    'code',
    '<pre><code class="language-ts">if (a &lt; b) {\n  c();\n}\n</code></pre><pre class="x">\n\nplain</pre><pre><b>c</b></pre>',
  ],
  [
    'a table',
    '<table class="x"><caption>A <b>b</b></caption><colgroup><col span="2"></colgroup><thead><tr><th scope="col">a</th><th>b</th></tr></thead><tbody><tr id="r"><td colspan="2"><p>c</p><ul><li>d</li></ul></td></tr><tr><td rowspan="2">e</td><td>f</td></tr><tr><td>g</td></tr></tbody></table>',
  ],
  [
    'irregular tables',
    '<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table><table><tbody class="x"><tr><td rowspan="3">a</td></tr></tbody></table>',
  ],
  [
    'rows outside groups',
    '<table><tr><th>a</th></tr><tr><td>b</td></tr></table><table><tr><td>a</td></tr><tbody><tr><td>b</td></tr></tbody></table>',
  ],
  [
    'images',
    '<figure class="wide"><img src="media:0b0e7a5e-0000-4000-8000-000000000001" alt="A &quot;b&quot;" loading="lazy"><figcaption>C <em>d</em></figcaption></figure><p>a <img src="/x.png"> b</p>',
  ],
  [
    'media',
    '<video src="/a.mp4" controls muted poster="/b.jpg"><track src="/c.vtt" default></video><picture><source srcset="/a.webp 1x, /b.webp 2x"><img src="/c.png" alt=""></picture>',
  ],
  [
    'components',
    `<x-component handle="card" vars='{"a": "b &amp; c"}'></x-component>\n<x-component handle="x"></x-component><p>a <x-component handle="y"></x-component></p>`,
  ],
  [
    'containers',
    '<div class="note"><p>a</p>b<details open><summary>c <b>d</b></summary>e</details></div><section></section><article><header><h2>x</h2></header></article>',
  ],
  [
    'definition lists and ruby',
    '<dl><dt>a</dt><dd>b</dd></dl><p><ruby>漢<rt>kan</rt></ruby> a<wbr>b <a id="here"></a><time datetime="2026">c</time></p>',
  ],
  ['breaks', '<p>a<br>b<br/>c<br />d</p><blockquote>e<p>f</p></blockquote>'],
  ['blocks in a link and in deleted text', '<a href="/x"><div>a</div></a><del><p>b</p></del><h2>c<div>d</div></h2>'],
  ['directions and languages', '<p dir="rtl" lang="ar">مرحبا <bdi>x</bdi></p><p>a&nbsp;b   c</p>'],
  ['nothing', ''],
  ['white space', ' \n '],
];
