import { locateError, TwigError } from '../errors.ts';
import { load } from './load.ts';
import {
  type BlockCode,
  type BlockTable,
  enter,
  type RenderState,
  type TemplateInstance,
  type TwigContext,
} from './state.ts';
import { type TwigValue, toText } from './values.ts';

/** Returns the blocks of a template: those of its `use` tags, overridden by its own. */
function ownBlocks(template: TemplateInstance, state: RenderState): BlockTable {
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

/** Returns the template that another extends in this context, or null. */
export function parentOf(
  template: TemplateInstance,
  context: TwigContext,
  blocks: BlockTable,
  state: RenderState,
): TemplateInstance | null {
  const { parent } = template.code;
  return parent ? load(template, parent(context, blocks, state), state) : null;
}

/** Renders the parent, at the end of the body of a template that extends it. */
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

/** Renders a block at its position. */
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
    if (depth > state.maxDepth) throw new TwigError('limit', 'Templates extend each other indefinitely.');
    current = parentOf(current, context, blocks, state);
  }
  return null;
}

/** Implements `parent()`. */
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

/** Implements `block(name, template)`. */
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

/** Implements `block(name) is defined`. */
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
