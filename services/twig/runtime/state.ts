import { TwigError } from '../errors.ts';
import type { TwigValue } from './values.ts';

/** Variables of a template under prefixed names, so that none can meet an inherited member. */
export type TwigContext = Record<string, TwigValue>;

/** A block as it is found by name: the code, and the context table it closes over. */
export type BlockCode = (context: TwigContext, blocks: BlockTable, state: RenderState) => string;
export type BlockTable = Record<string, BlockCode>;

export interface MacroCode {
  names: string[];
  fallbacks: ((() => TwigValue) | null)[];
  run: (context: TwigContext, blocks: BlockTable, state: RenderState) => TwigValue;
}

/** What the code of a compiled template consists of. */
export interface TemplateCode {
  parentIsConstant: boolean;
  parent: ((context: TwigContext, blocks: BlockTable, state: RenderState) => TwigValue) | null;
  assigns: boolean;
  isTrait: boolean;
  body: (context: TwigContext, blocks: BlockTable, state: RenderState) => string;
  blocks: BlockTable;
  macros: Map<string, MacroCode>;
  traits: { template: string; aliases: string; position: number }[];
  embedded: ((template: TemplateInstance) => TemplateCode)[];
}

/** A compiled template under a name in one environment. */
export interface TemplateInstance {
  name: string;
  code: TemplateCode;
  /** Own and trait blocks; filled when first needed. */
  blocks: BlockTable | null;
  traitBlocks: BlockTable | null;
  embedded: TemplateInstance[];
}

/** A value that a host function or filter gets to see. */
export type HostCallable = (args: unknown[], named: Record<string, unknown>) => unknown;

/** What one render may use up, and where it finds what it needs. */
export interface RenderState {
  /** Steps left: loop turns, calls, elements of lists made. */
  budget: number;
  deadlineMs: number;
  maxLength: number;
  depth: number;
  maxDepth: number;
  /** Variables that every template and macro sees. */
  globals: TwigContext;
  macros: Map<TemplateInstance, Record<string, TemplateInstance>>;
  /** Finds a template by name; throws a `TwigError` of kind `loader` when there is none. */
  findTemplate(name: string): TemplateInstance;
  /** Compiles a text as a template of its own. */
  compileString(source: string, name: string): TemplateInstance;
  getSource(name: string): string | null;
  functions: Record<string, HostCallable>;
  filters: Record<string, HostCallable>;
  tests: Record<string, HostCallable>;
  stepsLeft: number;
  /** The clock of this render, so that a page is the same wherever it says "now". */
  nowMs: number;
}

/** How many steps are handed out at once between looks at the clock. */
const stepsPerGrant = 2_000;

/** Called when a grant of steps is used up: ends the render when its steps or its time are over. */
export function overBudget(state: RenderState): void {
  if (state.stepsLeft <= 0)
    throw new TwigError('limit', 'The template takes too many steps: a loop or a list is too long.');
  if (Date.now() > state.deadlineMs) throw new TwigError('limit', 'The template takes too long.');
  state.budget = Math.min(stepsPerGrant, state.stepsLeft);
  state.stepsLeft -= state.budget;
}

/** Takes a number of steps at once, for filters that work through lists. */
export function takeSteps(state: RenderState, count: number): void {
  if (count > state.budget) {
    const missing = count - state.budget;
    state.budget = 0;
    if (missing > state.stepsLeft) state.stepsLeft = 0;
    else state.stepsLeft -= missing;
    overBudget(state);
  } else state.budget -= count;
}

/** Ends a render that prints or builds too much. */
export function tooLong(state: RenderState): never {
  throw new TwigError('limit', `The template's output is too long (more than ${state.maxLength} characters).`);
}

/** Returns text, unless it is longer than the render may make. */
export function boundText(text: string, state: RenderState): string {
  if (text.length > state.maxLength) tooLong(state);
  return text;
}

/** Enters a call that may nest; `leave` must follow. */
export function enter(state: RenderState): void {
  if (++state.depth > state.maxDepth) {
    throw new TwigError(
      'limit',
      'Templates, blocks or macros call each other too deeply: is there a recursion without end?',
    );
  }
  if (--state.budget < 0) overBudget(state);
}

/** The render under way. Rendering is synchronous, so there is one at most; a host function that renders puts it back. */
let current: RenderState | null = null;

/** Runs a render, so that `work` knows whose steps to take. */
export function withState<T>(state: RenderState, run: () => T): T {
  const outer = current;
  current = state;
  try {
    return run();
  } finally {
    current = outer;
  }
}

/** Takes steps for work deep inside operators, which see values only. */
export function work(count: number): void {
  if (current) takeSteps(current, count);
}
