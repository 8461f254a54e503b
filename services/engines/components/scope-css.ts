import postcss, { type AtRule, CssSyntaxError, type Root } from 'postcss';
import { codeFrame } from './code-frame.ts';
import { CompileError, type ComponentWarning } from './compiled.ts';
import { nestsBrackets } from './nesting.ts';
import { scopeNames } from './scope-names.ts';

/** Rules that mean something only at the top of a sheet; they have no selectors and reach no element. */
const topLevelRules = new Set(['namespace', 'font-face', 'property', 'counter-style']);
/** What would reach beyond the component, or has no meaning here. */
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

/** A sheet of nothing but refused rules gets no reply that is ten times as large. */
const maxWarnings = 100;

/** Removes the rules that no component may have, and says so. */
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
    warnings.push({ code: 'css_rule_removed', message: `${refused - maxWarnings} more rules were left out.` });
  return warnings;
}

/**
 * Confines a style sheet to the elements of one component: `@scope` from its wrapper down to the wrapper of a component
 * inside it, and names of its own. Throws a CompileError for what is not well-formed, which also keeps a sheet from closing
 * the rule around it.
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
