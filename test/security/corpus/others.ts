import { canary, vectorsOf } from './vector.ts';

/** Styles, all of which are removed. */
export const styles = vectorsOf('styles', [
  ['inline', '<p style="color:red">x</p>', ['style', 'color'], '<p>x</p>'],
  ['inline URL', `<p style="background:url(${canary})">x</p>`, ['style', 'canary']],
  ['inline escaped URL', `<p style="background:\\75rl(${canary})">x</p>`, ['style', 'canary']],
  ['expression', '<p style="width:expression(alert(1))">x</p>', ['style', 'expression']],
  ['binding', `<p style="-moz-binding:url(${canary})">x</p>`, ['style', 'canary']],
  ['behaviour', `<p style="behavior:url(${canary})">x</p>`, ['style', 'canary']],
  ['overlay', '<a href="/x" style="position:fixed;inset:0">x</a>', ['style', 'fixed'], 'href="/x"'],
  ['upper case', '<p STYLE="color:red">x</p>', 'style'],
  ['entity name', '<p &#115;tyle="color:red">x</p>', ['tyle', 'color']],
  [
    'presentational attributes',
    '<p align=center bgcolor=red>x</p><font color=red>y</font><center>z</center>',
    ['align', 'color', '<font', '<center'],
    ['x', 'y', 'z'],
  ],
  ['style element', `<style>body{background:url(${canary})}</style>`, ['style', 'canary']],
  ['style element in a paragraph', '<p>a<style>*{display:none}</style>b</p>', ['style', 'display'], ['a', 'b']],
  [
    'style with a media attribute',
    `<style media=all onload=alert(1)>@import url(${canary})</style>`,
    ['style', 'onload', 'canary'],
  ],
]);

/** Forms and their controls. */
export const forms = vectorsOf('forms', [
  ['form', `<form action="${canary}" method=post><p>x</p></form>`, ['form', 'canary'], '<p>x</p>'],
  ['password field', '<input type=password name=password autofocus>', ['input', 'password']],
  ['form attribute', `<button form=x formaction="${canary}">x</button>`, ['<button', 'canary']],
  ['text area', '<textarea name=x>y</textarea>', ['textarea']],
  ['select', '<select name=x><option value=1>one</select>', ['select', 'option']],
  [
    'label and field set',
    '<fieldset><legend>a</legend><label for=x>b</label></fieldset>',
    ['fieldset', 'legend', 'label'],
    ['a', 'b'],
  ],
  [
    'output and meters',
    '<output>a</output><meter value=1>b</meter><progress>c</progress>',
    ['output', 'meter', 'progress'],
    ['a', 'b', 'c'],
  ],
  ['data list', '<input list=x><datalist id=x><option value=y></datalist>', ['input', 'datalist', 'option']],
]);

/** Names that could shadow something that a script on the page uses. */
export const clobbering = vectorsOf('clobbering', [
  ['form with a field named attributes', '<form id=f><input name=attributes></form>', ['<form', '<input', 'name=']],
  ['image named cookie', '<img name=cookie alt="">', 'name='],
  ['image named getElementById', '<img name=getElementById alt="">', 'name='],
  ['id document', '<a id=document>x</a>', 'id='],
  ['id in another case', '<a id=CurrentScript>x</a>', 'id='],
  ['id with a space', '<a id="a b">x</a>', 'id='],
  ['id __proto__', '<a id=__proto__>x</a>', 'id='],
  ['anchor name', '<a name=body>x</a>', 'name='],
  [
    'two anchors with one name',
    '<a id=defaultView></a><a id=defaultView name=x href="https://example.org/">y</a>',
    ['id='],
    'name="x"',
  ],
  ['id with markup', '<p id="x&quot;><img src=x onerror=alert(1)>">y</p>', ['id=', '<img']],
  ['empty id', '<p id="">x</p>', 'id='],
  ['object named document', '<object name=document></object><embed name=body>', ['object', 'embed', 'name']],
]);

/** Invalid text that must be cleaned without breaking anything. */
export const dirt = vectorsOf('dirt', [
  ['NUL everywhere', '\0<\0p\0>\0a\0</\0p\0>\0', '\0', 'a'],
  ['controls', 'a\x01\x02\x08\x0b\x0e\x1f\x7f\x80\x9fb', ['\x01', '\x0b', '\x0c', '\x7f', '\x80', '\x9f'], 'ab'],
  ['lone surrogates', 'a\ud800b\udc00c\udfff', ['\ud800', '\udc00', '\udfff'], 'abc'],
  ['surrogates the wrong way round', 'a\ude00\ud83db', ['\ude00', '\ud83d'], 'ab'],
  [
    'noncharacters',
    'a\ufdd0\ufffe\uffff\u{1fffe}\u{10ffff}b',
    ['\ufdd0', '\ufffe', '\uffff', '\u{1fffe}', '\u{10ffff}'],
    'ab',
  ],
  [
    'forbidden references',
    'a&#0;&#x1;&#xD800;&#x110000;&#xFFFE;&#127;&#99999999999;b',
    ['\0', '\x01', '\ufffd', '\ufffe', '\x7f'],
    'ab',
  ],
  ['forbidden references in an attribute', '<p title="a&#0;&#xDFFF;b">x</p>', ['\0', '\ufffd'], 'title="ab"'],
  ['unknown entities', '&bogus; &; &# &#x; &#xg; & &&amp;', '<script', '&amp;bogus;'],
  ['tag at the end', 'text<', '<script', 'text&lt;'],
  ['tag name at the end', 'text<b', '<b', 'text'],
  ['attribute at the end', 'text<b class="x', ['<b', 'class'], 'text'],
  ['end tag at the end', 'text</b', '</b', 'text'],
  ['declaration at the end', 'text<!doctype', '<!', 'text'],
  ['many attributes', `<p ${Array.from({ length: 3000 }, (_, n) => `a${n}=1`).join(' ')}>x</p>`, 'a1', '<p>x</p>'],
  [
    'strange attribute names',
    '<p a"b=1 c\'d=2 e<f=3 =g=4 é=5 __proto__=6 constructor=7>x</p>',
    ['=', '__proto__'],
    '<p>x</p>',
  ],
  ['deep nesting', `${'<div>'.repeat(3000)}x`, 'nothing', 'x'],
  ['deep mixed nesting', `${'<ul><li><table><tr><td>'.repeat(400)}x`, 'nothing', 'x'],
  ['thousands of end tags', `x${'</div>'.repeat(3000)}`, '</div', 'x'],
]);
