import { locateError, TwigError } from '../errors.ts';
import { expectCollection, isCollection, keysOf, readKey, valuesOf } from './collections.ts';
import {
  type BlockCode,
  type BlockTable,
  enter,
  type RenderState,
  type TemplateInstance,
  type TwigContext,
} from './state.ts';
import { type TwigValue, toText, truthy } from './values.ts';

const instances = new WeakSet<object>();

/** Remembers an object as a template, so that `template_from_string` can pass one around as a value. */
export function registerInstance(instance: TemplateInstance): TemplateInstance {
  instances.add(instance);
  return instance;
}

const asInstance = (value: TwigValue): TemplateInstance | null =>
  typeof value === 'object' && value !== null && instances.has(value) ? (value as TemplateInstance) : null;

/** Finds a template by what an expression gave: a name, a list of names of which the first that exists wins, a template. */
export function load(_from: TemplateInstance, wanted: TwigValue, state: RenderState): TemplateInstance {
  const instance = asInstance(wanted);
  if (instance) return instance;
  if (!isCollection(wanted)) return state.findTemplate(toText(wanted));
  const names = valuesOf(wanted);
  for (const name of names) {
    const found = asInstance(name) ?? tryFind(state, toText(name));
    if (found) return found;
  }
  throw new TwigError('loader', `Unable to find one of the following templates: "${names.map(toText).join('", "')}".`);
}

function tryFind(state: RenderState, name: string): TemplateInstance | null {
  try {
    return state.findTemplate(name);
  } catch (error) {
    if (error instanceof TwigError && error.kind === 'loader') return null;
    throw error;
  }
}

/** The blocks a template brings: those of its `use` tags, then its own. */
export function ownBlocks(template: TemplateInstance, state: RenderState): BlockTable {
  if (template.blocks) return template.blocks;
  if (template.traitBlocks) throw new TwigError('limit', `Template "${template.name}" uses itself.`);
  const traits: BlockTable = {};
  template.traitBlocks = traits;
  for (const { template: name, aliases, position } of template.code.traits) {
    try {
      Object.assign(traits, traitBlocks(name, aliases, state));
    } catch (error) {
      throw locateError(error, template.name, position);
    }
  }
  template.blocks = { ...traits, ...template.code.blocks };
  return template.blocks;
}

function traitBlocks(name: string, aliases: string, state: RenderState): BlockTable {
  const trait = state.findTemplate(name);
  if (!trait.code.isTrait || trait.code.macros.size > 0) {
    throw new TwigError('runtime', `Template "${name}" cannot be used as a trait.`);
  }
  return renameBlocks(ownBlocks(trait, state), new Map(JSON.parse(aliases)), name);
}

function renameBlocks(blocks: BlockTable, aliases: Map<string, string>, trait: string): BlockTable {
  const renamed = { ...blocks };
  for (const [name, alias] of aliases) {
    const block = blocks[`$${name}`];
    if (!block) throw new TwigError('runtime', `Block "${name}" is not defined in trait "${trait}".`);
    delete renamed[`$${name}`];
    renamed[`$${alias}`] = block;
  }
  return renamed;
}

/** Renders a template whose blocks may be overridden by those of the templates that extend it. */
export function display(
  template: TemplateInstance,
  context: TwigContext,
  overrides: BlockTable | null,
  state: RenderState,
): string {
  const own = ownBlocks(template, state);
  return template.code.body(context, overrides ? { ...own, ...overrides } : own, state);
}

function parentOf(
  template: TemplateInstance,
  context: TwigContext,
  blocks: BlockTable,
  state: RenderState,
): TemplateInstance | null {
  const { parent } = template.code;
  return parent ? load(template, parent(context, blocks, state), state) : null;
}

/** Ends the body of a template that extends another. */
export function runParent(
  template: TemplateInstance,
  context: TwigContext,
  blocks: BlockTable,
  state: RenderState,
): string {
  enter(state);
  const text = display(parentOf(template, context, blocks, state)!, context, blocks, state);
  state.depth--;
  return text;
}

/** Renders a block where it stands. */
export function runBlock(
  block: BlockCode | undefined,
  context: TwigContext,
  blocks: BlockTable,
  state: RenderState,
): string {
  return block!(context, blocks, state);
}

/** Finds a block by name in a template or in those it extends. */
function findBlock(
  template: TemplateInstance,
  slot: string,
  context: TwigContext,
  blocks: BlockTable,
  state: RenderState,
): BlockCode | null {
  let current: TemplateInstance | null = template;
  for (let depth = 0; current; depth++) {
    const own: BlockTable = ownBlocks(current, state);
    if (own[slot]) return own[slot];
    if (depth > state.maxDepth) throw new TwigError('limit', 'Templates extend each other without end.');
    current = parentOf(current, context, blocks, state);
  }
  return null;
}

/** `parent()` */
export function parentBlock(
  template: TemplateInstance,
  name: string,
  context: TwigContext,
  blocks: BlockTable,
  state: RenderState,
): string {
  const slot = `$${name}`;
  ownBlocks(template, state);
  const parent = template.traitBlocks![slot] ? null : parentOf(template, context, blocks, state);
  const block = template.traitBlocks![slot] ?? (parent ? findBlock(parent, slot, context, blocks, state) : null);
  if (!block) throw new TwigError('runtime', `The template has no parent and no traits defining the "${name}" block.`);
  enter(state);
  const text = block(context, blocks, state);
  state.depth--;
  return text;
}

function lookUpBlock(
  template: TemplateInstance,
  other: TemplateInstance | null,
  name: TwigValue,
  context: TwigContext,
  blocks: BlockTable,
  state: RenderState,
) {
  const slot = `$${toText(name)}`;
  if (other) return { block: findBlock(other, slot, context, {}, state), table: ownBlocks(other, state) };
  return { block: blocks[slot] ?? findBlock(template, slot, context, blocks, state), table: blocks };
}

/** `block(name, template)` */
export function callBlock(
  template: TemplateInstance,
  other: TemplateInstance | null,
  name: TwigValue,
  context: TwigContext,
  blocks: BlockTable,
  state: RenderState,
): string {
  const { block, table } = lookUpBlock(template, other, name, context, blocks, state);
  if (!block)
    throw new TwigError('runtime', `Block "${toText(name)}" on template "${(other ?? template).name}" does not exist.`);
  enter(state);
  const text = block(context, table, state);
  state.depth--;
  return text;
}

/** `block(name) is defined` */
export function hasBlock(
  template: TemplateInstance,
  other: TemplateInstance | null,
  name: TwigValue,
  context: TwigContext,
  blocks: BlockTable,
  state: RenderState,
): boolean {
  return lookUpBlock(template, other, name, context, blocks, state).block !== null;
}

/** A context with the members of a hash added; the one given stays as it is. */
export function extend(context: TwigContext, variables: TwigValue, tag: string): TwigContext {
  const extended = { ...context };
  if (variables === null || variables === undefined) return extended;
  const hash = expectCollection(variables, `The variables of the "${tag}" tag: a hash is needed; it`);
  for (const key of keysOf(hash)) extended[`$${key}`] = readKey(hash, key) ?? null;
  return extended;
}

/** All variables as a hash: `_context`, `loop.parent`. */
export function contextToHash(context: TwigContext): Map<string | number, TwigValue> {
  const names = Object.keys(context).filter((name) => context[name] !== undefined);
  return new Map(names.map((name) => [name.slice(1), context[name]]));
}

function renderInner(template: TemplateInstance, context: TwigContext, state: RenderState): string {
  enter(state);
  const own = template.code.assigns || template.code.parent ? { ...context } : context;
  const text = display(template, own, null, state);
  state.depth--;
  return text;
}

/** The `include` tag. */
export function include(
  from: TemplateInstance,
  state: RenderState,
  wanted: TwigValue,
  context: TwigContext,
  ignoreMissing: boolean,
): string {
  const template = loadOrNull(from, state, wanted, ignoreMissing);
  return template ? renderInner(template, context, state) : '';
}

function loadOrNull(
  from: TemplateInstance,
  state: RenderState,
  wanted: TwigValue,
  ignoreMissing: boolean,
): TemplateInstance | null {
  try {
    return load(from, wanted, state);
  } catch (error) {
    if (ignoreMissing && error instanceof TwigError && error.kind === 'loader') return null;
    throw error;
  }
}

/** The `include` function. */
export function includeFunction(
  from: TemplateInstance,
  state: RenderState,
  context: TwigContext,
  wanted: TwigValue,
  variables?: TwigValue,
  withContext: TwigValue = true,
  ignoreMissing: TwigValue = false,
): string {
  const inner = extend(truthy(withContext) ? context : state.globals, variables, 'include');
  return include(from, state, wanted, inner, truthy(ignoreMissing));
}

/** The `embed` tag: a template written in place. */
export function embed(
  template: TemplateInstance,
  index: number,
  state: RenderState,
  context: TwigContext,
  ignoreMissing: boolean,
): string {
  const embedded = template.embedded[index]!;
  if (ignoreMissing && !loadOrNull(template, state, embedded.code.parent!(context, {}, state), true)) return '';
  return renderInner(embedded, context, state);
}

/** What `import` and `from` brought into a template in this render. */
export function macrosOf(template: TemplateInstance, state: RenderState): Record<string, TemplateInstance> {
  let table = state.macros.get(template);
  if (!table) state.macros.set(template, (table = {}));
  return table;
}

function findMacro(template: TemplateInstance | undefined, name: string, context: TwigContext, state: RenderState) {
  let current: TemplateInstance | null = template ?? null;
  for (let depth = 0; current && depth <= state.maxDepth; depth++) {
    const macro = current.code.macros.get(name);
    if (macro) return { macro, owner: current };
    current = parentOf(current, context, {}, state);
  }
  return null;
}

/** Whether a macro can be called. */
export function hasMacro(
  template: TemplateInstance | undefined,
  name: string,
  context: TwigContext,
  state: RenderState,
): boolean {
  return findMacro(template, name, context, state) !== null;
}

/** Calls a macro: it sees its arguments and the globals, nothing else. */
export function callMacro(
  template: TemplateInstance | undefined,
  name: string,
  context: TwigContext,
  state: RenderState,
  args: TwigValue[],
  named: Map<string | number, TwigValue> | null,
): TwigValue {
  const found = findMacro(template, name, context, state);
  if (!found) throw new TwigError('runtime', `Macro "${name}" is not defined in template "${template?.name ?? ''}".`);
  const { names, fallbacks, run } = found.macro;
  const inner: TwigContext = { ...state.globals };
  names.forEach((parameter, index) => {
    const given = index < args.length ? (args[index] ?? null) : named?.get(parameter);
    inner[`$${parameter}`] = given === undefined ? (fallbacks[index]?.() ?? null) : given;
  });
  for (const key of named?.keys() ?? []) {
    if (!names.includes(String(key))) throw new TwigError('runtime', `Unknown argument "${key}" for macro "${name}".`);
  }
  inner['$varargs'] = args.slice(names.length);
  enter(state);
  const result = run(inner, {}, state);
  state.depth--;
  return result;
}
