import { expect, test } from '@jest/globals';
import { makeLinksAbsolute, mapRootRelativeLinks } from '../../../services/build/links.ts';

const mark = (address: string) => `[${address}]`;

test.each([
  ['<a href="/about/">', '<a href="[/about/]">'],
  ["<a class=x href='/a/' id=y>", "<a class=x href='[/a/]' id=y>"],
  ['<a href=/a/>', '<a href=[/a/]>'],
  ['<IMG SRC="/a.png">', '<IMG SRC="[/a.png]">'],
  ['<img srcset="/a.webp 1x, /b.webp 2x">', '<img srcset="[/a.webp] 1x, [/b.webp] 2x">'],
  ['<form action="/s/">', '<form action="[/s/]">'],
])('%s becomes %s', (html, expected) => {
  expect(mapRootRelativeLinks(html, mark)).toBe(expected);
});

test.each([
  '<a href="//host.test/x">',
  '<a href="https://host.test/x">',
  '<a href="about/">',
  '<a href="#/x">',
  '<a data-href="/x">',
  '<!-- <a href="/x"> -->',
  '<script>const a = \'<a href="/x">\';</script>',
  '<style>a[href="/x"]{}</style>',
  '<textarea><a href="/x"></textarea>',
  '<code>&lt;a href="/x"&gt;</code>',
])('%s stays as it is', (html) => {
  expect(mapRootRelativeLinks(`${html}<i></i>`, mark)).toBe(`${html}<i></i>`);
});

test.each([
  ['<a href="/about/">', '<a href="https://e.test/sites/s/about/">'],
  ['<a href="../b/?x=1&amp;y=2#z">', '<a href="https://e.test/sites/s/posts/b/?x=1&amp;y=2#z">'],
  ['<a href="#note">', '<a href="https://e.test/sites/s/posts/a/#note">'],
  [
    '<img srcset="1.png 1x, /2.png 2x">',
    '<img srcset="https://e.test/sites/s/posts/a/1.png 1x, https://e.test/sites/s/2.png 2x">',
  ],
  ['<a href="mailto:a@b.test">', '<a href="mailto:a@b.test">'],
  ['<a href="//host.test/x">', '<a href="//host.test/x">'],
  ['<a href="HTTPS://host.test/x">', '<a href="HTTPS://host.test/x">'],
  ['<a href="">', '<a href="">'],
])('%s, read away from its page, becomes %s', (html, expected) => {
  expect(makeLinksAbsolute(html, 'https://e.test/sites/s/posts/a/', 'https://e.test/sites/s')).toBe(expected);
});

test('the tag of a script is changed, its code is not', () => {
  expect(mapRootRelativeLinks('<script src="/a.js">"<b src=\'/x\'>"</script><b src="/y">', mark)).toBe(
    '<script src="[/a.js]">"<b src=\'/x\'>"</script><b src="[/y]">',
  );
});

test.each([
  ['<a title=">" href="/x">', '<a title=">" href="[/x]">'],
  ["<p>it's <a href='/x'>", "<p>it's <a href='[/x]'>"],
  ["<a don't href=/x>", "<a don't href=[/x]>"],
  ['<!-- <a href="/x"> --><a href="/y">', '<!-- <a href="/x"> --><a href="[/y]">'],
  ['<title><a href="/x"></title ><a href="/y">', '<title><a href="/x"></title ><a href="[/y]">'],
  ['<script>"</scripty><a href=/x>"</script><a href="/y">', '<script>"</scripty><a href=/x>"</script><a href="[/y]">'],
])('%s is read as browsers read it', (html, expected) => {
  expect(mapRootRelativeLinks(html, mark)).toBe(expected);
});

test.each(['<!-- <a href="/x">', '<script><a href="/x">', '<a title="x href="/x', '<a href="/x'])(
  'what never ends stays as it is: %s',
  (html) => {
    expect(mapRootRelativeLinks(html, mark)).toBe(html);
  },
);
