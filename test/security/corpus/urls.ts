import { type Vector, vectorsOf } from './vector.ts';

/** Spellings of active URLs; each is tested in all attributes that contain a URL. */
const spellings: [name: string, url: string][] = [
  ['plain', 'javascript:alert(1)'],
  ['mixed case', 'JaVaScRiPt:alert(1)'],
  ['leading space', '  javascript:alert(1)'],
  ['leading line ends', '&#10;&#13;&#9;javascript:alert(1)'],
  ['leading control', '&#1;&#31;javascript:alert(1)'],
  ['leading NUL', '\0javascript:alert(1)'],
  ['leading no-break space', '&nbsp;javascript:alert(1)'],
  ['leading byte order mark', '\ufeffjavascript:alert(1)'],
  ['leading lone surrogate', '\ud83djavascript:alert(1)'],
  ['tab inside', 'java&Tab;script:alert(1)'],
  ['raw tab inside', 'java\tscript:alert(1)'],
  ['line end inside', 'java&NewLine;script:alert(1)'],
  ['raw line end inside', 'javascript\n:alert(1)'],
  ['carriage return inside', 'java&#xD;script:alert(1)'],
  ['control inside', 'java\x01script:alert(1)'],
  ['NUL inside', 'java\0script:alert(1)'],
  ['zero reference inside', 'java&#0;script:alert(1)'],
  ['entity colon', 'javascript&colon;alert(1)'],
  ['numeric entities', '&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;:alert(1)'],
  ['padded entities without semicolons', '&#0000106&#0000097&#0000118&#0000097script:alert(1)'],
  ['hex entities', '&#x6A;&#X61;vascript&#x3A;alert(1)'],
  ['comment inside', 'java&lt;!-- --&gt;script:alert(1)'],
  ['comment with a slash', '&lt;!--/--&gt;javascript:alert(1)'],
  ['view source', 'view-source:javascript:alert(1)'],
  ['feed wrapper', 'feed:javascript:alert(1)'],
  ['vbscript', 'vbscript:alert(1)'],
  ['livescript', 'livescript:alert(1)'],
  ['mocha', 'mocha:alert(1)'],
  ['data HTML', 'data:text/html,<script>alert(1)</script>'],
  ['data base64', 'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg=='],
  ['data SVG', 'data:image/svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22 onload=%22alert(1)%22/>'],
  ['data image', 'data:image/gif;base64,R0lGODlhAQABAAAAACw='],
  ['mixed data', 'DaTa:text/html,x'],
  ['data with a tab', 'd&Tab;ata:text/html,x'],
  ['blob', 'blob:http://localhost/0'],
  ['filesystem', 'filesystem:http://localhost/x'],
  ['file', 'file:///etc/passwd'],
  ['jar', 'jar:http://localhost/x!/y'],
  ['about', 'about:blank'],
  ['chrome', 'chrome://settings'],
  ['ms-its', 'ms-its:mhtml:file://x'],
  ['unknown scheme', 'x-y.z+1:abc'],
  ['scheme with a space', 'java script:alert(1)'],
  ['media without an id', 'media:javascript:alert(1)'],
  ['media with more', 'media:3f2504e0-4f89-11d3-9a0c-0305e82c3301&quot; onerror=&quot;alert(1)'],
];

const carriers: [name: string, open: string, close: string][] = [
  ['link', '<a href="', '">x</a>'],
  ['image', '<img alt="" src="', '">'],
  ['srcset', '<img alt="" srcset="', ' 1x">'],
  ['poster', '<video poster="', '"></video>'],
];

const spelled: Vector[] = spellings.flatMap(([name, url], index) => {
  // links get every spelling, the other attributes alternate
  const other = carriers[1 + (index % (carriers.length - 1))];
  return [carriers[0], other].map((carrier) => {
    const [carrierName, open, close] = carrier as (typeof carriers)[number];
    return {
      name: `urls: ${name} in ${carrierName}`,
      html: open + url + close,
      gone: ['href=', 'src=', 'srcset=', 'poster=', 'onerror="'],
    };
  });
});

export const urls = [
  ...spelled,
  ...vectorsOf('urls', [
    ['unquoted', '<a href=javascript:alert(1)>x</a>', 'javascript', '<a>x</a>'],
    ['single quotes', "<a href='javascript:alert(1)'>x</a>", 'javascript'],
    ['second candidate', '<img alt="" srcset="/a.png 1x, javascript:alert(1) 2x">', 'javascript', '/a.png 1x'],
    [
      'candidate after a comma without space',
      '<img alt="" srcset="/a.png 1x,data:text/html,x 2x">',
      'data:',
      '/a.png 1x',
    ],
    [
      'source of a picture',
      '<picture><source srcset="javascript:alert(1)"><img alt="" src="/a.png"></picture>',
      'javascript',
    ],
    ['source of a video', '<video><source src="data:video/mp4;base64,AAAA"></video>', 'data:'],
    ['track', '<video><track src="javascript:alert(1)" kind=captions></video>', 'javascript'],
    [
      'cite',
      '<blockquote cite="javascript:alert(1)">x</blockquote><q cite="vbscript:x">y</q>',
      ['javascript', 'vbscript'],
    ],
    ['mail address as an image', '<img alt="" src="mailto:a@example.org">', 'mailto'],
    ['form action', '<form action="javascript:alert(1)"><input type=submit></form>', ['javascript', '<form', '<input']],
    ['button form action', '<button formaction="javascript:alert(1)">x</button>', ['javascript', '<button']],
    ['image submit', '<input type=image src="javascript:alert(1)">', ['javascript', '<input']],
    [
      'background',
      '<table background="javascript:alert(1)"><tr><td background="javascript:alert(1)">x</table>',
      'background',
    ],
    [
      'dynsrc and lowsrc',
      '<img dynsrc="javascript:alert(1)" lowsrc="javascript:alert(1)" longdesc="javascript:alert(1)" alt="">',
      ['src=', 'javascript'],
    ],
    [
      'use map',
      '<img usemap="#m" alt=""><map name=m><area href="javascript:alert(1)"></map>',
      ['usemap', '<map', '<area', 'javascript'],
    ],
    [
      'opener',
      '<a href="https://example.org/" target="_blank" rel="opener nofollow">x</a>',
      'opener ',
      'rel="nofollow"',
    ],
    ['named target', '<a href="https://example.org/" target="victim">x</a>', 'target'],
    ['top target', '<a href="/x" target="_top">x</a>', 'target'],
    ['too long', `<a href="/${'a'.repeat(10_000)}">x</a>`, 'href'],
  ]),
];
