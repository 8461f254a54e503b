import { type AnyNode, type Expression, type Program, parse } from 'acorn';

/** The result of the search in a compiled module. */
export interface FoundComponent {
  /** The name to export as the default; null if there is a default already or no candidate. */
  name: string | null;
  found: boolean;
  /** Whether it needs JavaScript in the browser. */
  interactive: boolean;
}

const wrappers = new Set(['memo', 'forwardRef', 'lazy']);
/** Parts of React that keep state or run effects; static markup of them would not work. */
const liveNames =
  /^(use(State|Reducer|Effect|LayoutEffect|InsertionEffect|EffectEvent|SyncExternalStore|Transition|Optimistic|ActionState)|startTransition|setState|forceUpdate)$/;
/** Browser events; `onSale` is not one. */
const handlerName =
  /^on(Click|DoubleClick|AuxClick|ContextMenu|Change|Input|BeforeInput|Submit|Reset|Invalid|Select|Key(Down|Up|Press)|(Mouse|Pointer|Touch|Drag|Composition|Animation|Transition|Scroll|Load|Play)\w*|GotPointerCapture|LostPointerCapture|Focus|Blur|Wheel|Drop|Copy|Cut|Paste|Error|Toggle|BeforeToggle|Close|Cancel|Pause|Ended|TimeUpdate|VolumeChange|Seek(ed|ing)|Waiting|Stalled|CanPlay(Through)?|DurationChange|RateChange|Progress)(Capture)?$/;

function isComponentValue(node: Expression | null | undefined): boolean {
  if (!node) return false;
  if (node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression' || node.type === 'ClassExpression')
    return true;
  if (node.type !== 'CallExpression') return false;
  const { callee } = node;
  if (callee.type === 'Identifier') return wrappers.has(callee.name);
  // bundling turns a named import into `(0, react.memo)(…)`
  const target = callee.type === 'SequenceExpression' ? callee.expressions.at(-1) : callee;
  return (
    target?.type === 'MemberExpression' && target.property.type === 'Identifier' && wrappers.has(target.property.name)
  );
}

/**
 * Returns the top-level functions, classes and constants that look like components: their names start with a capital
 * letter.
 */
function definedComponents(program: Program): string[] {
  return program.body
    .flatMap((node) => {
      if (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') return [node.id.name];
      if (node.type !== 'VariableDeclaration') return [];
      return node.declarations.flatMap(({ id, init }) =>
        id.type === 'Identifier' && isComponentValue(init) ? [id.name] : [],
      );
    })
    .filter((name) => /^\p{Lu}/u.test(name));
}

interface Exported {
  local: string;
  name: string;
}

/** Returns the names in the export statement that the bundler generates at the end. */
function exportedNames(program: Program): Exported[] {
  return program.body.flatMap((node) =>
    node.type === 'ExportNamedDeclaration'
      ? node.specifiers.map(({ local, exported }) => ({ local: nameOf(local), name: nameOf(exported) }))
      : [],
  );
}

function nameOf(node: AnyNode): string {
  return node.type === 'Identifier' ? node.name : node.type === 'Literal' ? String(node.value) : '';
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}

/** Returns whether a property is an event handler, or a ref function that is called with the element. */
function isEffect({ key, value }: { key: AnyNode; value: AnyNode }): boolean {
  const name = nameOf(key);
  return handlerName.test(name) || (name === 'ref' && /Function/.test(value.type));
}

/**
 * Returns whether the program uses any name that only matters in a browser. Iterative, because sources may nest deeply.
 */
function usesLiveNames(program: Program): boolean {
  const open: AnyNode[] = [program];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === 'Identifier' && liveNames.test(node.name)) return true;
    if (node.type === 'Property' && !node.computed && isEffect(node)) return true;
    if (node.type === 'MethodDefinition' && /^component(Did|Will)/.test(nameOf(node.key))) return true;
    for (const value of Object.values(node)) {
      if (Array.isArray(value)) open.push(...value.filter(isNode));
      else if (isNode(value)) open.push(value);
    }
  }
  return false;
}

/**
 * Finds the component in a compiled module (without JSX and types): the default export, else the only exported
 * component, else the only one defined.
 */
export function findComponent(code: string): FoundComponent {
  const program = parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
  const interactive = usesLiveNames(program);
  const exported = exportedNames(program);
  const hasDefault =
    exported.some(({ name }) => name === 'default') ||
    program.body.some(({ type }) => type === 'ExportDefaultDeclaration');
  if (hasDefault) return { name: null, found: true, interactive };
  const defined = definedComponents(program);
  const candidates = exported.filter(({ local }) => defined.includes(local)).map(({ local }) => local);
  const [only, ...others] = candidates.length > 0 ? candidates : exported.length === 0 ? defined : [];
  const found = only !== undefined && others.length === 0;
  return { name: found ? only : null, found, interactive };
}
