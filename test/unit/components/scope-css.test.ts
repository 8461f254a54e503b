import { describe, expect, test } from '@jest/globals';
import { CompileError } from '../../../services/engines/components/compiled.ts';
import { scopeCss as scope } from '../../../services/engines/components/scope-css.ts';

const scopeCss = (css: string, handle = 'x') => scope(css, handle).css;
/** Returns the contents of the scope. */
const inner = (css: string) =>
  scopeCss(css)
    ?.replace(/^[\s\S]*@scope [^{]*\{\n/, '')
    .replace(/\n\}$/, '');

describe('the style sheet of a component', () => {
  // rule: threat.28
  test('is confined to the component, and stops at a component inside it', () => {
    expect(scopeCss('.a { color: red }', 'card')).toBe(
      '@scope ([data-component="card"]) to ([data-component]) {\n.a { color: red }\n}',
    );
  });

  test('names at most a hundred of the rules that it loses, and counts the others', () => {
    const { warnings } = scope('@import "x";'.repeat(150), 'x');
    expect(warnings).toHaveLength(101);
    expect(warnings.at(-1)).toEqual({ code: 'css_rule_removed', message: '50 more rules were removed.' });
  });

  test('keeps at the top what means something only there', () => {
    const css =
      '@charset "utf-8"; .a { b: c } @property --x { syntax: "*"; inherits: false } @font-face { src: url(x.woff2) }';
    expect(scopeCss(css)).toBe(
      '@property --x { syntax: "*"; inherits: false }\n@font-face { src: url(x.woff2) }\n@scope ([data-component="x"]) to ([data-component]) {\n.a { b: c }\n}',
    );
  });

  test.each(['@import url(x.css);', '@page { margin: 0 }', '@media print { @page { margin: 0 } }'])(
    'loses %s, which would reach beyond it, with a warning',
    (rule) => {
      const { css, warnings } = scope(`.a { b: c }\n${rule}`, 'x');
      expect(css).not.toMatch(/@import|@page/);
      expect(warnings).toEqual([
        { code: 'css_rule_removed', message: expect.stringMatching(/^Line 2: @(import|page) /) },
      ]);
    },
  );

  test.each(['', '  \n', '@charset "utf-8";'])('is none when it says nothing (%j)', (css) => {
    expect(scopeCss(css, 'x')).toBeNull();
  });

  test.each([
    ['ends in the middle of a rule', '.a { color: red'],
    ['closes the rule around it', '} body { display: none } .a {'],
    ['closes the rule around it late', '.a { } } body { display: none }'],
    ['opens a comment', '.a { } /* '],
    ['opens a string', '.a { content: "'],
    ['ends with a backslash', '.a { } \\'],
    ['ends with a bracket', '.a:not( { }'],
    ['has text between its rules', 'nothing of CSS'],
  ])('is refused when it %s', (_what, css) => {
    expect(() => scopeCss(css, 'x')).toThrow(CompileError);
  });
});

describe('a hostile style sheet', () => {
  const deep = 50_000;
  test.each([
    ['rules', `${'a{'.repeat(deep)}${'}'.repeat(deep)}`],
    ['selectors', `${':is('.repeat(deep)}:root${')'.repeat(deep)} { a: b }`],
    ['values', `@keyframes k { } .a { animation: ${'('.repeat(deep)}k${')'.repeat(deep)} }`],
  ])('is refused, not a crash, when its %s nest too deeply', (_what, css) => {
    expect(() => scope(css, 'x')).toThrow(CompileError);
  });

  test.each([
    ['a selector that is none', ':root..x { a: b }'],
    ['a long list of fonts', `@font-face { font-family: f } .a { font: ${'x '.repeat(100_000)}f }`],
    ['many names', `@keyframes k { } .a { animation: ${'k,'.repeat(60_000)} k }`],
  ])('passes with %s', (_what, css) => {
    expect(scope(css, 'x').css).toContain('@scope');
  });
});

describe('names are those of the component:', () => {
  test.each([
    [
      '@keyframes k { to { top: 0 } } .a { animation: k 1s }',
      '@keyframes fs1-x-k { to { top: 0 } } .a { animation: fs1-x-k 1s }',
    ],
    [
      '@-webkit-keyframes k { } .a { -webkit-animation: 1s ease k, other 2s; animation-name: k, k2 }',
      '@-webkit-keyframes fs1-x-k { } .a { -webkit-animation: 1s ease fs1-x-k, other 2s; animation-name: fs1-x-k, k2 }',
    ],
    [
      '@keyframes "k" { } .a { animation-name: var(--k, k) } .b { animation-name: "k" }',
      '@keyframes "fs1-x-k" { } .a { animation-name: var(--k, fs1-x-k) } .b { animation-name: "fs1-x-k" }',
    ],
    [
      '@media print { @keyframes k { } } .a { animation: k }',
      '@media print { @keyframes fs1-x-k { } } .a { animation: fs1-x-k }',
    ],
    ['@keyframes ease { } .a { animation: ease 1s ease }', '@keyframes ease { } .a { animation: ease 1s ease }'],
    [
      '@keyframes k { } .a { --my-animation: k 1s; --k: k }',
      '@keyframes fs1-x-k { } .a { --my-animation: fs1-x-k 1s; --k: k }',
    ],
    ['.a { animation: shell-spin 1s }', '.a { animation: shell-spin 1s }'],
    ['@keyframes k { } .k { color: red }', '@keyframes fs1-x-k { } .k { color: red }'],
  ])('keyframes in %s', (css, scoped) => {
    expect(inner(css)).toBe(scoped);
  });

  test.each([
    ['font-family: Icons', 'font-family: "fs1-x-Icons"'],
    ["font-family: 'icons', serif", 'font-family: "fs1-x-Icons", serif'],
    ['font: italic bold 12px/1.5 Icons, sans-serif', 'font: italic bold 12px/1.5 "fs1-x-Icons", sans-serif'],
    ['font-family: Other Icons, serif', 'font-family: Other Icons, serif'],
    ['--icon-font: Icons; top: 0', '--icon-font: "fs1-x-Icons"; top: 0'],
    ['content: "Icons"', 'content: "Icons"'],
  ])('a font in %s', (use, scoped) => {
    expect(scopeCss(`@font-face { font-family: Icons; src: url(x.woff2) } .a { ${use} }`)).toBe(
      `@font-face { font-family: "fs1-x-Icons"; src: url(x.woff2) }\n@scope ([data-component="x"]) to ([data-component]) {\n.a { ${scoped} }\n}`,
    );
  });

  test('a font of several words', () => {
    expect(scopeCss("@font-face { font-family: 'My  Font' } .a { font: 1em My Font }")).toContain(
      'font: 1em "fs1-x-My  Font"',
    );
  });

  test.each([
    ['@layer base, late;', '@layer fs-x.base, fs-x.late;'],
    ['@layer base { @layer in { .a { b: c } } }', '@layer fs-x.base { @layer in { .a { b: c } } }'],
    ['@layer { .a { b: c } }', '@layer { .a { b: c } }'],
  ])('layers in %s', (css, scoped) => {
    expect(inner(css)).toBe(scoped);
  });

  test.each([
    [':root { --a: b }', ':scope { --a: b }'],
    [':host(.wide) p, :root > p { a: b }', ':scope:is(.wide) p, :scope > p { a: b }'],
    ['p:not(:root) { a: b }', 'p:not(:scope) { a: b }'],
    [':root.dark :scope p { a: b }', ':root.dark :scope p { a: b }'],
    ['.a { :root.dark & { b: c } }', '.a { :root.dark & { b: c } }'],
    ['.root { a: b } [x=":root"] { a: b }', '.root { a: b } [x=":root"] { a: b }'],
    ['@supports (display: grid) { :root { a: b } }', '@supports (display: grid) { :scope { a: b } }'],
    ['@container (width > 1px) { .a { b: c } }', '@container (width > 1px) { .a { b: c } }'],
  ])('%s', (css, scoped) => {
    expect(inner(css)).toBe(scoped);
  });

  test('those of two components never are the same', () => {
    const names = [
      ['a', 'b-c'],
      ['a-b', 'c'],
      ['a', 'b_c'],
      ['a_b', 'c'],
    ].map(([handle, name]) => /@keyframes (\S+)/.exec(scope(`@keyframes ${name} { }`, handle!).css!)![1]);
    expect(new Set(names).size).toBe(4);
  });
});
