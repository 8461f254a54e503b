import type {
  BlockDefinition,
  Expression,
  MacroDefinition,
  MacroSource,
  Statement,
  TemplateNode,
  TraitUse,
} from './ast.ts';
import type { TokenStream } from './token-stream.ts';

/** The names that the language knows; unknown names are syntax errors. */
export interface Vocabulary {
  hasFilter(name: string): boolean;
  hasFunction(name: string): boolean;
  hasTest(name: string): boolean;
  filterNames(): Iterable<string>;
  functionNames(): Iterable<string>;
  testNames(): Iterable<string>;
}

/** The names that `import` and `from` defined in one scope. */
interface ImportScope {
  templates: Set<string>;
  macros: Map<string, { variable: string; name: string }>;
}

/** The template being parsed; `embed` opens a nested one. */
export interface TemplateScope {
  parent: Expression | null;
  blocks: Map<string, BlockDefinition>;
  macros: Map<string, MacroDefinition>;
  traits: TraitUse[];
  embedded: TemplateNode[];
  blockStack: string[];
  imports: ImportScope[];
}

/** State shared by all parts of the parser. */
export interface ParseContext {
  stream: TokenStream;
  vocabulary: Vocabulary;
  scope: TemplateScope;
  parseExpression(): Expression;
  /** Parses statements up to a tag in `ends`, whose name token stays current; null means up to the end of the text. */
  parseBody(tag: string | null, ends: string[]): Statement[];
  parseEmbedded(parent: Expression): TemplateNode;
  nextVariable(): string;
  /** The lines of the tags being parsed, innermost last. */
  tagLines: number[];
}

/** Creates an empty scope for one template. */
export function createTemplateScope(): TemplateScope {
  return {
    parent: null,
    blocks: new Map(),
    macros: new Map(),
    traits: [],
    embedded: [],
    blockStack: [],
    imports: [createImportScope()],
  };
}

/** Creates an empty scope for the names of `import` and `from`. */
export function createImportScope(): ImportScope {
  return { templates: new Set(), macros: new Map() };
}

/**
 * Returns the imported macro with this function name, from the innermost scope or the template's own scope; null when
 * not found.
 */
export function findImportedMacro(scope: TemplateScope, name: string): { source: MacroSource; name: string } | null {
  const found = scope.imports.at(-1)!.macros.get(name) ?? scope.imports[0]!.macros.get(name);
  return found ? { source: { self: false, variable: found.variable }, name: found.name } : null;
}

/** Returns the macro source if a name is `_self` or was set by `import`, otherwise null. */
export function findImportedTemplate(scope: TemplateScope, name: string): MacroSource | null {
  if (name === '_self') return { self: true };
  const known = scope.imports.at(-1)!.templates.has(name) || scope.imports[0]!.templates.has(name);
  return known ? { self: false, variable: name } : null;
}

/** Returns the nearest known name as a "Did you mean" text, or ''. At most a third of the letters may differ. */
export function suggestName(name: string, known: Iterable<string>): string {
  let best = '';
  let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(name, candidate, bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best === '' ? '' : ` Did you mean "${best}"?`;
}

function editDistance(a: string, b: string, bound: number): number {
  if (a.length > 64 || Math.abs(a.length - b.length) >= bound) return bound;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
