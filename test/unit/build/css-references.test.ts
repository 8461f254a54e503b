import { expect, test } from '@jest/globals';
import { cssReferences, rewriteCss } from '../../../services/build/css.ts';
import { planShell } from './plan-shell.ts';

test('a style sheet refers to files of the shell, relative to itself or from the root', () => {
  const css = `@import "base.css"; @import url(/x.css); a{background:url('../img/a.png?v=1#b')} b{src:url( "f.woff2" )}`;
  expect(cssReferences(css, 'css/style.css')).toEqual(['css/base.css', 'x.css', 'img/a.png', 'css/f.woff2']);
});

test('an import needs no space before its string, as minifiers write it', () => {
  expect(rewriteCss(`@import"a.css";@import'b.css';`, 'style.css', (target) => `${target}.1`)).toBe(
    '@import "a.css.1";@import "b.css.1";',
  );
});

test('other hosts, data, fragments and comments stay as they are', () => {
  const css = 'a{b:url(https://h.test/a.png) url(data:image/png;base64,AA) url(#f) url(//h.test/x)} /* url(a.png) */';
  expect(rewriteCss(css, 'style.css', () => 'changed')).toBe(css);
});

test('a reference keeps its query', () => {
  expect(rewriteCss('a{b:url(a.png?x#y)}', 'style.css', () => 'a.1.png')).toBe('a{b:url("a.1.png?x#y")}');
});

test('a sheet is named after what it refers to, through imports', async () => {
  const make = (pixel: string) =>
    planShell({ 'a.css': '@import "b.css";', 'b.css': 'a{b:url(c.png)}', 'c.png': pixel, 'post.twig': '' });
  const [{ assets: one, textOf }, { assets: two }] = [await make('1'), await make('2')];
  expect([...one.keys()].sort()).toEqual(['a.css', 'b.css', 'c.png']);
  expect(textOf('a.css')).toBe(`@import "${one.get('b.css')!.path.slice('/_assets/'.length)}";`);
  for (const name of ['a.css', 'b.css', 'c.png']) expect(one.get(name)!.path).not.toBe(two.get(name)!.path);
});

test('the case of an extension changes nothing: templates are not public, and sheets are named after what they refer to', async () => {
  const { assets, textOf } = await planShell({ 'A.CSS': 'a{b:url(c.png)}', 'c.png': '1', 'Post.TWIG': 'secret' });
  expect([...assets.keys()].sort()).toEqual(['A.CSS', 'c.png']);
  expect(textOf('A.CSS')).toBe(`a{b:url("${assets.get('c.png')!.path.slice('/_assets/'.length)}")}`);
});

test('a name that would end the path of an address gets another in public', async () => {
  const { assets } = await planShell({ 'a#b?c.png': '1' });
  expect(assets.get('a#b?c.png')!.path).toMatch(/^\/_assets\/a_b_c\.[0-9a-f]{8}\.png$/);
});

test('sheets that import each other in a circle are published', async () => {
  expect((await planShell({ 'a.css': '@import "b.css";', 'b.css': '@import "a.css";' })).assets.size).toBe(2);
});
