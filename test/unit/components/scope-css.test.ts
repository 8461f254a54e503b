import { describe, expect, test } from '@jest/globals';
import { CompileError } from '../../../services/engines/components/compiled.ts';
import { scopeCss } from '../../../services/engines/components/scope-css.ts';

describe('the style sheet of a component', () => {
  test('is confined to the component, and stops at a component inside it', () => {
    expect(scopeCss('.a { color: red }', 'card')).toBe(
      '@scope ([data-component="card"]) to ([data-component]) {\n.a { color: red }\n}',
    );
  });

  test('keeps at the top what means something only there', () => {
    const css =
      '@charset "utf-8"; @import url(x.css); .a { b: c } @font-face { font-family: x } @keyframes k { to { top: 0 } }';
    expect(scopeCss(css, 'x')).toBe(
      '@import url(x.css);\n@font-face { font-family: x }\n@scope ([data-component="x"]) to ([data-component]) {\n.a { b: c } @keyframes k { to { top: 0 } }\n}',
    );
  });

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
