import { createHash } from 'node:crypto';
import type { Report } from '../report.ts';
import { type Any, makeSite } from '../world.ts';

/** HTML that has something to remove, and what must not be left of it. */
const dirty: [string, string, RegExp | null][] = [
  ['inline style', '<p style="color:red">a</p>', /style/],
  ['script', '<p>a</p><script>alert(1)</script>', /script|alert/],
  ['script in capitals', '<SCRIPT SRC=//x>alert(1)</SCRIPT>b', /script|alert/i],
  ['unclosed script', '<p>a</p><script>alert(1)', /script|alert/],
  ['nested script', '<scr<script>ipt>alert(1)</scr</script>ipt>', /<script/i],
  ['iframe', '<iframe src="https://x.example"></iframe><p>a</p>', /iframe/],
  ['iframe with content', '<iframe>inner<b>x</b></iframe>', /iframe/],
  ['handler', '<p onclick="x()">a</p>', /onclick/],
  ['handler in capitals', '<img src=x ONERROR=alert(1)>', /onerror/i],
  ['handler with a slash', '<img/onerror=alert(1) src=x>', /onerror/i],
  ['javascript:', '<a href="javascript:alert(1)">a</a>', /javascript/i],
  ['javascript: with a tab', '<a href="java\tscript:alert(1)">a</a>', /script:/i],
  ['javascript: with entities', '<a href="&#106;avascript:alert(1)">a</a>', /script:/i],
  ['javascript: after a control character', '<a href="\u0001javascript:alert(1)">a</a>', /script:/i],
  ['vbscript:', '<a href="vbscript:x">a</a>', /vbscript/i],
  ['data: link', '<a href="data:text/html,<script>1</script>">a</a>', /data:text\/html/i],
  ['svg', '<svg onload="x"><circle/></svg>a', /svg|circle/],
  ['math', '<math><mi>x</mi></math>a', /math/],
  ['form', '<form action="/x"><input name="a"><button>b</button></form>a', /form|input|button/],
  ['textarea, select', '<textarea>x</textarea><select><option>1</option></select>a', /textarea|select/],
  ['object, embed, applet', '<object data="x"></object><embed src="x"><applet></applet>a', /object|embed|applet/],
  ['style element', '<style>p{color:red}</style>a', /style|color/],
  [
    'link, meta, base',
    '<link rel=stylesheet href=x><meta http-equiv=refresh content=0><base href="//x">a',
    /link|meta|base/,
  ],
  [
    'template, noscript',
    '<template><p>x</p></template><noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>a',
    /template|noscript|onerror=alert\(1\)>/,
  ],
  ['comment', '<p>a</p><!-- secret -->', /secret|<!--/],
  ['conditional comment', '<!--[if IE]><script>1</script><![endif]-->a', /script|\[if/],
  ['CDATA', '<![CDATA[<script>1</script>]]>a', /<script/],
  ['processing instruction', '<?xml version="1.0"?><p>a</p>', /<\?/],
  ['doctype', '<!DOCTYPE html><p>a</p>', /doctype/i],
  [
    'html, head, body',
    '<html><head><title>t</title></head><body onload=x><p>a</p></body></html>',
    /<(html|head|body)|onload/,
  ],
  ['NUL', '<p>a\u0000b</p>', /\u0000/],
  ['NUL in a tag', '<scr\u0000ipt>alert(1)</scr\u0000ipt>a', /<script/i],
  ['lone surrogate', '<p>a\ud800b</p>', /\ud800/],
  ['lone low surrogate', '<p>a\udc00b</p>', /\udc00/],
  ['srcdoc', '<iframe srcdoc="<script>1</script>"></iframe>a', /srcdoc|script/],
  ['audio handler', '<audio src=x onerror=alert(1)></audio>a', /onerror/],
  ['unknown element', '<blink>a</blink>', /blink/],
  [
    'mutation',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    /<style|<math|<mtext/,
  ],
  ['protocol-relative javascript', '<a href=" jAvAsCrIpT&colon;alert(1)">a</a>', /script(:|&colon;)/i],
  ['formaction', '<p formaction="javascript:x">a</p>', /formaction/],
  ['xlink', '<a xlink:href="javascript:x">a</a>', /xlink|javascript/],
];

const clean = [
  '',
  'plain',
  '<p>a</p>',
  '<p>a &amp; b &lt; c &gt; d</p>',
  '<h1>a</h1><h2>b</h2><h3>c</h3><h4>d</h4><h5>e</h5><h6>f</h6>',
  '<ul><li>a</li></ul><ol><li>b</li></ol>',
  '<blockquote><p>q</p></blockquote>',
  '<pre><code>x = 1;\n  y</code></pre>',
  '<p><strong>a</strong> <em>b</em> <a href="https://example.com/">c</a></p>',
  '<p>ünï 日本 🎉</p>',
  '<p>a\nb\n</p>\n\n<p>c</p>\n',
  '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>',
  '<p>"quotes" \'and\' such</p>',
  '<p>a</p><hr /><p>b<br />c</p>',
];

export async function check(t: Report): Promise<void> {
  const site = await makeSite();
  const paths: Record<string, (body_html: string) => Promise<Any>> = {
    create: (body_html) => site.call('POST', '/content', { title: 'D', body_html }),
    update: async (body_html) => {
      const { data } = await site.call('POST', '/content', { title: 'D' });
      return site.call('PATCH', `/content/${data.id}`, { body_html });
    },
    batch: async (body_html) => {
      const reply = await site.call('POST', '/content/batch', { items: [{ title: 'D', body_html }] });
      return { ...reply, data: reply.data?.results[0].data, status: reply.data?.results[0].status ?? reply.status };
    },
    'by-ref': (body_html) =>
      site.call('PUT', `/content/by-ref/${createHash('md5').update(String(Math.random())).digest('hex')}`, {
        title: 'D',
        body_html,
      }),
  };
  for (const [path, write] of Object.entries(paths)) {
    await t.part(`dirty by ${path}`, async () => {
      for (const [name, html, left] of dirty) {
        const reply = await write(html);
        if (!t.ok(`${name} by ${path} never fails the request`, [200, 201].includes(reply.status), reply.text))
          continue;
        const { body_html, warnings, id } = reply.data;
        t.ok(`${name} by ${path} is removed`, left === null || !left.test(body_html), body_html);
        t.ok(
          `${name} by ${path} is reported`,
          warnings.length > 0 &&
            warnings.every((one: Any) => typeof one.code === 'string' && typeof one.message === 'string'),
          `${html} → ${body_html}`,
        );
        const read = (await site.call('GET', `/content/${id}`)).data;
        t.is(`${name}: stored is what was answered`, read.body_html, body_html);
        const again = await site.call('PATCH', `/content/${id}`, { body_html });
        t.is(`${name}: its own serialisation comes back`, again.data?.body_html, body_html);
        t.is(`${name}: and is clean`, again.data?.warnings, []);
      }
    });
  }
  await t.part('clean', async () => {
    const guide = (await site.call('GET', '/authoring-guide')).data;
    const allowed = guide.body_html.allowed_elements;
    for (const html of clean) {
      const { data } = await site.call('POST', '/content', { title: 'C', body_html: html });
      t.is(`clean ${html.slice(0, 30)} comes back byte for byte`, [data?.body_html, data?.warnings], [html, []]);
    }
    for (const { name, void: isVoid } of allowed) {
      const html = isVoid ? `<${name}>` : `<${name}>x</${name}>`;
      const { data } = await site.call('POST', '/content', { title: 'C', body_html: html });
      const serialised = data?.body_html ?? '';
      const { data: again } = await site.call('POST', '/content', { title: 'C', body_html: serialised });
      t.is(`allowed <${name}> is stable and clean`, [again?.body_html, again?.warnings], [serialised, []]);
    }
  });
  await t.part('hostile shapes', async () => {
    const shapes: Record<string, string> = {
      deep: '<div>'.repeat(20_000),
      deepClosed: `${'<div>'.repeat(5000)}x${'</div>'.repeat(5000)}`,
      openers: '<'.repeat(100_000),
      attributes: `<p ${'a=b '.repeat(50_000)}>x</p>`,
      entity: '&'.repeat(100_000),
      quotes: `<a href="${'"'.repeat(50_000)}`,
      comments: '<!--'.repeat(50_000),
      long: 'x'.repeat(3_500_000),
      bold: '<b>'.repeat(100_000),
      lists: '<ul><li>'.repeat(20_000),
      tables: '<table><tr><td>'.repeat(5000),
      surrogates: '\ud800'.repeat(10_000),
      nul: '\u0000'.repeat(10_000),
      bidi: '\u202e\u2066x',
      specials: '\ufffe\uffff\u0001\u0008\u000b\u007f\u0080',
    };
    for (const [name, body_html] of Object.entries(shapes)) {
      const reply = await site.call('POST', '/content', { title: name, body_html });
      t.replies(`${name} is stored`, reply, 201);
      const again = await site.call('PATCH', `/content/${reply.data?.id}`, { body_html: reply.data?.body_html });
      t.ok(
        `${name} is stable`,
        again.status === 413 || again.data?.body_html === reply.data?.body_html,
        String(again.data?.body_html).slice(0, 200),
      );
    }
  });
}
