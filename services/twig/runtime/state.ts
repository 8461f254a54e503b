import { TwigError } from '../errors.ts';
import type { TwigValue } from './values.ts';

/** Variables of a template with prefixed names, so that none collides with an inherited member. */
export type TwigContext = Record<string, TwigValue>;

/** The code of a block. */
export type BlockCode = (context: TwigContext, blocks: BlockTable, state: RenderState) => string;
export type BlockTable = Record<string, BlockCode>;

export interface MacroCode {
  names: string[];
  fallbacks: ((() => TwigValue) | null)[];
  run: (context: TwigContext, blocks: BlockTable, state: RenderState) => TwigValue;
}

/** The code of a compiled template. */
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

/** A compiled template with a name in one environment. */
export interface TemplateInstance {
  name: string;
  code: TemplateCode;
  /** Own and trait blocks; filled when first needed. */
  blocks: BlockTable | null;
  traitBlocks: BlockTable | null;
  embedded: TemplateInstance[];
}

/** A function, filter or test of the host. */
export type HostCallable = (args: unknown[], named: Record<string, unknown>) => unknown;

/** The limits and resources of one render. */
export interface RenderState {
  /** Remaining steps of the current grant: loop iterations, calls, created list elements. */
  budget: number;
  deadlineMs: number;
  maxLength: number;
  depth: number;
  maxDepth: number;
  /** Variables visible in every template and macro. */
  globals: TwigContext;
  macros: Map<TemplateInstance, Record<string, TemplateInstance>>;
  /** Finds a template by name; throws a `TwigError` of kind `loader` when not found. */
  findTemplate(name: string): TemplateInstance;
  /** Compiles a text as a separate template. */
  compileString(source: string, name: string): TemplateInstance;
  getSource(name: string): string | null;
  functions: Record<string, HostCallable>;
  filters: Record<string, HostCallable>;
  tests: Record<string, HostCallable>;
  stepsLeft: number;
  /** The time of this render, so that "now" is the same everywhere on a page. */
  nowMs: number;
}

/** Number of steps granted between checks of the clock. */
const stepsPerGrant = 2_000;

/** Grants more steps when a grant is used up; throws when the steps or the time of the render are exhausted. */
export function overBudget(state: RenderState): void {
  if (state.stepsLeft <= 0)
    throw new TwigError('limit', 'The template takes too many steps: a loop or a list is too long.');
  if (Date.now() > state.deadlineMs) throw new TwigError('limit', 'The template takes too long.');
  state.budget = Math.min(stepsPerGrant, state.stepsLeft);
  state.stepsLeft -= state.budget;
}

/** Uses a number of steps at once, for filters that process lists. */
export function takeSteps(state: RenderState, count: number): void {
  if (count > state.budget) {
    const missing = count - state.budget;
    state.budget = 0;
    if (missing > state.stepsLeft) state.stepsLeft = 0;
    else state.stepsLeft -= missing;
    overBudget(state);
  } else state.budget -= count;
}

/** Throws for a render that prints or builds too much. */
export function tooLong(state: RenderState): never {
  throw new TwigError('limit', `The template's output is too long (more than ${state.maxLength} characters).`);
}

/** Returns text; throws if it exceeds the render's limit. */
export function boundText(text: string, state: RenderState): string {
  if (text.length > state.maxLength) tooLong(state);
  return text;
}

/** Enters a nested call; the caller must decrement `depth` afterwards. */
export function enter(state: RenderState): void {
  if (++state.depth > state.maxDepth) {
    throw new TwigError(
      'limit',
      'Templates, blocks or macros call each other too deeply: is there an infinite recursion?',
    );
  }
  if (--state.budget < 0) overBudget(state);
}

/** The current render. Rendering is synchronous, so there is at most one; a host function that renders restores it. */
let current: RenderState | null = null;

/** Runs a render, so that `spendSteps` counts against it. */
export function withState<T>(state: RenderState, run: () => T): T {
  const outer = current;
  current = state;
  try {
    return run();
  } finally {
    current = outer;
  }
}

/** Uses steps for work inside operators, which have no access to the state. */
export function spendSteps(count: number): void {
  if (current) takeSteps(current, count);
}
