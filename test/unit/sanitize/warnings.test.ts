import { expect, test } from '@jest/globals';
import { sanitizeBody } from '../../../services/features/content/sanitize/index.ts';
import { limits } from '../../../services/features/content/sanitize/rules.ts';

const codesOf = (html: string) => sanitizeBody(html).warnings.map((warning) => warning.code);

test.each([
  ['<script>x</script>', 'script_removed'],
  ['<iframe src="/x"></iframe>', 'iframe_removed'],
  ['<p style="color:red">x</p>', 'inline_style_removed'],
  ['<p onclick="x()">x</p>', 'event_handler_removed'],
  ['<a href="javascript:x">x</a>', 'url_removed'],
  ['<p data-x="1">x</p>', 'attribute_removed'],
  ['<p class="a" class="b">x</p>', 'attribute_removed'],
  ['<!-- note -->', 'comment_removed'],
  ['<!doctype html>', 'comment_removed'],
  ['<form>x</form>', 'element_removed'],
  ['a\0b', 'character_removed'],
  ['a\ud800b', 'character_removed'],
  ['a&#0;b', 'character_removed'],
  ['<b>never closed', 'markup_repaired'],
  ['never opened</b>', 'markup_repaired'],
  ['<b>cut <i', 'markup_repaired'],
  ['<table>text</table>', 'markup_repaired'],
])('%s is reported as what it is', (html, code) => {
  expect(codesOf(html)).toContain(code);
});

test('a warning says what was removed and where', () => {
  const { warnings } = sanitizeBody('<p>a</p>\n<p>b <span onclick="x()">c</span></p>');
  expect(warnings).toEqual([
    { code: 'event_handler_removed', message: 'Removed the event handler onclick from <span> (line 2, column 12).' },
  ]);
});

test('equal changes are counted in one warning', () => {
  const { warnings } = sanitizeBody('<p style="a">1</p>\n<p style="b">2</p>\n<p style="c">3</p>');
  expect(warnings).toHaveLength(1);
  expect(warnings[0]?.message).toContain('3 times');
  expect(warnings[0]?.message).toContain('line 1');
});

test('warnings come in the order of the text', () => {
  expect(codesOf('<!-- a -->\n<p style="x">b</p>\n<script>c</script>')).toEqual([
    'comment_removed',
    'inline_style_removed',
    'script_removed',
  ]);
});

test('a flood of different changes ends in one warning that counts the rest', () => {
  const { warnings } = sanitizeBody(Array.from({ length: 5000 }, (_, index) => `<x${index}>`).join(''));
  expect(warnings).toHaveLength(limits.maxWarnings + 1);
  expect(warnings.at(-1)).toEqual({
    code: 'warnings_truncated',
    message: '4900 more changes are not listed one by one.',
  });
});

test('names out of hostile text are shortened and printable', () => {
  const { warnings } = sanitizeBody(`<p ${'a'.repeat(5000)}=1>x</p>`);
  expect(warnings[0]?.message.length).toBeLessThan(150);
});

test('an element that swallows nothing but lacks its end tag loses only its tags', () => {
  expect(sanitizeBody('<p>a</p><template><p>b</p>').html).toBe('<p>a</p><p>b</p>');
});
