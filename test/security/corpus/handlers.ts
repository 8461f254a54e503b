import { type Vector, vectorsOf } from './vector.ts';

const eventNames =
  `onabort onanimationend onanimationstart onauxclick onbeforecopy onbeforeinput onbeforetoggle onblur oncanplay
  onclick onclose oncontextmenu oncopy oncut ondblclick ondrag ondrop onerror onfocus onfocusin onformdata onhashchange
  oninput oninvalid onkeydown onload onloadstart onmessage onmouseenter onmouseover onpageshow onpaste onplay
  onpointerdown onpointerrawupdate onpopstate onresize onscroll onscrollend onsecuritypolicyviolation onselectstart
  onsubmit ontoggle ontouchstart ontransitionend onunload onvolumechange onwebkitanimationend onwheel`.split(/\s+/);

/** Every kind of handler attribute on an allowed element. */
const byName: Vector[] = eventNames.map((event) => ({
  name: `handlers: ${event}`,
  html: `<p ${event}="alert(1)" tabindex=1>text</p>`,
  gone: [event, 'alert'],
  kept: ['<p>text</p>'],
}));

export const handlers = [
  ...byName,
  ...vectorsOf('handlers', [
    ['image error', '<img src=x onerror=alert(1)>', ['onerror', 'alert'], '<img src="x"'],
    ['upper case', '<IMG SRC=x ONERROR=alert(1)>', ['onerror', 'alert']],
    ['slash before', '<img/src=x/onerror=alert(1)>', [' onerror']],
    ['slashes between', '<img/src="x"/onerror="alert(1)">', ['onerror', 'alert']],
    ['no space after a quote', '<img src="x"onerror=alert(1)>', ['onerror', 'alert']],
    ['line end before', '<img src=x\nonerror\n=\nalert(1)>', ['onerror', 'alert']],
    ['form feed before', '<img src=x\fonerror=alert(1)>', ['onerror=', ' onerror']],
    ['vertical tab before', '<img src=x \vonerror=alert(1)>', ['onerror', 'alert']],
    ['NUL inside', '<img src=x on\0error=alert(1)>', ['onerror', 'alert']],
    ['control inside', '<img src=x on\x01error=alert(1)>', ['onerror', 'alert']],
    ['quote as a name', '<img src=x "onerror=alert(1)>', ['onerror', 'alert']],
    ['backquotes', '<img src=`x` onerror=`alert(1)`>', [' onerror', 'alert']],
    ['backquote against old parsers', '<img src="x` `<script>alert(1)</script>"` `>', '<script'],
    ['equals sign as a name', '<img =onerror=alert(1) src=x onerror=alert(1)>', [' onerror', 'alert']],
    ['lower than in a name', '<img src=x <onerror=alert(1)>', ['onerror', 'alert']],
    ['unclosed tag before', '<img src=x onerror=alert(1) <p>x</p>', ['onerror', 'alert']],
    ['never closed', '<p>a</p><img src=x onerror=alert(1)', ['onerror'], '<p>a</p>'],
    [
      'duplicate attribute',
      '<img src=x alt=a alt="b" onerror=alert(1) onerror=alert(2)>',
      ['onerror', 'alert'],
      'alt="a"',
    ],
    [
      'attribute broken by its value',
      '<img alt="&quot; onerror=alert(1) x=&quot;" src=x>',
      '" onerror',
      '&quot; onerror',
    ],
    ['attribute broken by a single quote', '<img alt=\'" onerror=alert(1) x="\' src=x>', '" onerror', '&quot; onerror'],
    ['entity in the name', '<img src=x &#111;nerror=alert(1)>', ['nerror', 'alert']],
    ['details toggle', '<details open ontoggle=alert(1)><summary>x</summary></details>', ['ontoggle'], '<details open'],
    ['video source error', '<video><source onerror=alert(1)></video>', ['onerror', 'alert']],
    ['video poster error', '<video poster=x onloadstart=alert(1) src=x></video>', ['onload', 'alert']],
    ['audio error', '<audio src=x onerror=alert(1)>', ['onerror', 'alert']],
    [
      'picture source',
      '<picture><source srcset=x onerror=alert(1)><img src=x onerror=alert(1)></picture>',
      ['onerror'],
    ],
    ['body load', '<body onload=alert(1)>', ['onload', '<body']],
    ['body page show', '<body onpageshow=alert(1)><body onfocus=alert(1)>', ['onpageshow', 'onfocus']],
    ['autofocus', '<a href=# autofocus onfocus=alert(1)>x</a>', ['autofocus', 'onfocus']],
    ['tabindex with focus', '<p id=x tabindex=1 onfocus=alert(1)>x</p>', ['tabindex', 'onfocus'], 'id="x"'],
    [
      'content visibility',
      '<p style="content-visibility:auto" oncontentvisibilityautostatechange=alert(1)>x</p>',
      ['oncontent', 'style'],
    ],
    [
      'animation by style',
      '<style>@keyframes x{}</style><p style="animation-name:x" onanimationstart=alert(1)>x</p>',
      ['onanim', 'style'],
    ],
    [
      'popover',
      '<p popover id=x onbeforetoggle=alert(1)>x</p><button popovertarget=x>y</button>',
      ['popover', 'onbefore'],
    ],
    ['anchor ping', '<a href="/x" ping="http://canary.invalid/hit">x</a>', ['ping', 'canary'], 'href="/x"'],
    ['access key', '<a href=/x accesskey=x onclick=alert(1)>x</a>', ['accesskey', 'onclick']],
    [
      'script gadget attributes',
      '<p data-hx-on:click="alert(1)" hx-on="click:alert(1)" x-data="alert(1)" @click="alert(1)" :onclick="alert(1)" v-on:click="alert(1)" ng-click="alert(1)">x</p>',
      ['hx-', 'x-data', '@click', 'v-on', 'ng-', 'alert'],
    ],
    ['template gadget', '<p data-bind="html: alert(1)" data-toggle=tooltip data-html=true>x</p>', ['data-', 'alert']],
    [
      'XML event',
      '<p ev:event="click" xml:base="javascript:alert(1)//" xlink:href="javascript:alert(1)">x</p>',
      ['ev:', 'xml:', 'xlink'],
    ],
    ['is attribute and slot', '<p is="x-y" slot="z" part="q" nonce="abc">x</p>', ['is=', 'slot', 'part', 'nonce']],
    ['content editable', '<p contenteditable oninput=alert(1)>x</p>', ['contenteditable', 'oninput']],
  ]),
];
