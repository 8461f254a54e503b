import postcss, { type AtRule, CssSyntaxError, type Root } from 'postcss';
import { codeFrame } from './code-frame.ts';
import { CompileError, type ComponentWarning } from './compiled.ts';
import { nestsBrackets } from './nesting.ts';
import { scopeNames } from './scope-names.ts';

/** Rules that are valid only at the top level of a sheet; they have no selectors and affect no element. */
const topLevelRules = new Set(['namespace', 'font-face', 'property', 'counter-style']);
/** Rules that would affect the page outside the component, or have no meaning inside it. */
const refusedRules = new Set(['import', 'page', 'view-transition']);

const maxNesting = 100;

export interface ScopedCss {
  css: string | null;
  warnings: ComponentWarning[];
}

function parse(css: string): Root {
  try {
    return postcss.parse(css);
  } catch (error) {
    if (!(error instanceof CssSyntaxError)) throw error;
    const { line = 0, column = 0, reason } = error;
    throw new CompileError([{ member: 'css', message: reason, line, column, frame: codeFrame(css, line, column) }]);
  }
}

/** Bounds the response: a sheet of nothing but refused rules would get warnings ten times its size. */
const maxWarnings = 100;

/** Removes the rules that components may not have, and returns a warning for each. */
function dropRefused(root: Root): ComponentWarning[] {
  const warnings: ComponentWarning[] = [];
  let refused = 0;
  root.walkAtRules((rule) => {
    const name = rule.name.toLowerCase();
    if (refusedRules.has(name)) {
      const line = rule.source?.start?.line ?? 0;
      const message = `Line ${line}: @${name} was left out, since it would reach beyond the component.`;
      if (++refused <= maxWarnings) warnings.push({ code: 'css_rule_removed', message });
    } else if (name !== 'charset') return;
    rule.remove();
  });
  if (refused > maxWarnings)
    warnings.push({ code: 'css_rule_removed', message: `${refused - maxWarnings} more rules were removed.` });
  return warnings;
}

/**
 * Confines a style sheet to the elements of one component: `@scope` from its wrapper down to the wrapper of a component
 * inside it, with prefixed names. Throws a CompileError if the sheet is not well-formed, so a sheet cannot close the
 * enclosing rule.
 */
export function scopeCss(css: string, handle: string): ScopedCss {
  if (nestsBrackets(css, maxNesting)) {
    const message = `The style sheet nests more than ${maxNesting} deep.`;
    throw new CompileError([{ member: 'css', message, line: 0, column: 0, frame: '' }]);
  }
  const root = parse(css);
  const warnings = dropRefused(root);
  scopeNames(root, handle);
  const top: AtRule[] = [];
  root.each((node) => {
    if (node.type === 'atrule' && topLevelRules.has(node.name.toLowerCase())) top.push(node);
  });
  for (const rule of top) rule.remove();
  const kept = top.map((rule) => `${rule}${rule.nodes ? '' : ';'}`);
  const body = root.toString().trim();
  const scoped = body === '' ? [] : [`@scope ([data-component="${handle}"]) to ([data-component]) {\n${body}\n}`];
  const result = [...kept, ...scoped].join('\n');
  // a backslash or an open comment at the end would swallow the closing brace
  parse(result);
  return { css: result === '' ? null : result, warnings };
}
