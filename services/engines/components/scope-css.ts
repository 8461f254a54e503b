import postcss, { type AtRule, CssSyntaxError, type Root } from 'postcss';
import { codeFrame } from './code-frame.ts';
import { CompileError } from './compiled.ts';

/** Rules that mean something only at the top of a sheet; they have no selectors and reach no element. */
const topLevelRules = new Set(['import', 'charset', 'namespace', 'font-face', 'property', 'counter-style']);

function parse(css: string): Root {
  try {
    return postcss.parse(css);
  } catch (error) {
    if (!(error instanceof CssSyntaxError)) throw error;
    const { line = 0, column = 0, reason } = error;
    throw new CompileError([{ member: 'css', message: reason, line, column, frame: codeFrame(css, line, column) }]);
  }
}

/**
 * Confines a style sheet to the elements of one component: `@scope` from its wrapper down to the wrapper of a component
 * inside it. Throws a CompileError for what is not well-formed, which also keeps a sheet from closing the rule around it.
 */
export function scopeCss(css: string, handle: string): string | null {
  const root = parse(css);
  const top: AtRule[] = [];
  root.each((node) => {
    if (node.type === 'atrule' && topLevelRules.has(node.name.toLowerCase())) top.push(node);
  });
  for (const rule of top) rule.remove();
  const imports = top
    .filter((rule) => rule.name.toLowerCase() !== 'charset')
    .map((rule) => `${rule}${rule.nodes ? '' : ';'}`);
  const body = root.toString().trim();
  const scoped = body === '' ? [] : [`@scope ([data-component="${handle}"]) to ([data-component]) {\n${body}\n}`];
  const result = [...imports, ...scoped].join('\n');
  // a backslash or an open comment at the end would swallow the closing brace
  parse(result);
  return result === '' ? null : result;
}
