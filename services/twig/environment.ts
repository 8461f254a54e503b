import { type Compiler, createCompiler, createInstance, hashSource } from './compile.ts';
import { locateError, TwigError } from './errors.ts';
import { display } from './runtime/blocks.ts';
import { extend } from './runtime/includes.ts';
import type { HostCallable, RenderState, TemplateInstance, TwigContext } from './runtime/state.ts';
import { withState } from './runtime/state.ts';

/** Limits of one render. */
export interface TwigLimits {
  /** UTF-8 bytes of the page, and characters of any intermediate text. */
  maxOutputBytes: number;
  /** Loop iterations, calls and created list members. */
  maxSteps: number;
  timeoutMs: number;
  /** Maximum depth of calls between templates, blocks and macros. */
  maxDepth: number;
  /** Different templates that one render may load. */
  maxSources: number;
}

export const defaultTwigLimits: TwigLimits = {
  maxOutputBytes: 16_000_000,
  maxSteps: 5_000_000,
  timeoutMs: 10_000,
  maxDepth: 100,
  maxSources: 500,
};

export interface TwigEnvironmentOptions {
  /** Returns the text of a template and its hash; null when not found. Called once per render and name. */
  getSource(name: string): { source: string; hash: string } | null;
  /** Functions of the host, by name. They take precedence over built-in ones. */
  functions?: Record<string, HostCallable>;
  /** Filters of the host; the operand is the first argument. */
  filters?: Record<string, HostCallable>;
  /** Tests of the host; the operand is the first argument. */
  tests?: Record<string, HostCallable>;
  /** Variables visible in every template and macro. */
  globals?: Record<string, unknown>;
  limits?: Partial<TwigLimits>;
  /** Returns the current time; the system clock by default. */
  nowMs?: () => number;
}

export interface TwigEnvironment {
  /** Renders a template with a context of plain data. Throws a `TwigError` with its position. */
  render(name: string, context: Record<string, unknown>): string;
  /** Checks a text as if it were the template of this name; returns null when it compiles. */
  check(source: string, name: string): TwigError | null;
  has(name: string): boolean;
}

/**
 * Creates an environment for the Twig templates, functions and variables of one site. Compiled templates are cached by
 * hash across environments.
 */
export function createTwigEnvironment(options: TwigEnvironmentOptions): TwigEnvironment {
  const limits = { ...defaultTwigLimits, ...options.limits };
  const tables = {
    functions: tableOf(options.functions),
    filters: tableOf(options.filters),
    tests: tableOf(options.tests),
  };
  const compiler = createCompiler({
    functions: new Set(Object.keys(tables.functions)),
    filters: new Set(Object.keys(tables.filters)),
    tests: new Set(Object.keys(tables.tests)),
  });
  const instances = new Map<string, { hash: string; instance: TemplateInstance }>();
  const globals = extend({}, options.globals ?? {}, 'globals');
  const nowMs = options.nowMs ?? Date.now;
  const find = (name: string): TemplateInstance | null => findInstance(options, compiler, instances, name);
  return {
    render(name, context) {
      const state = createState({ options, limits, tables, compiler, globals, nowMs: nowMs(), find });
      try {
        const text = withState(state, () =>
          display(state.findTemplate(name), extend(globals, context, 'context'), null, state),
        );
        if (Buffer.byteLength(text) > limits.maxOutputBytes) {
          throw new TwigError('limit', `The page is longer than ${limits.maxOutputBytes} bytes.`);
        }
        return text;
      } catch (error) {
        throw locateError(error, name, 0);
      }
    },
    check(source, name) {
      try {
        compiler.compile(source, hashSource(source), name);
        return null;
      } catch (error) {
        return locateError(error, name, 0);
      }
    },
    has: (name) => options.getSource(name) !== null,
  };
}

function tableOf(callables: Record<string, HostCallable> | undefined): Record<string, HostCallable> {
  return Object.assign(Object.create(null), callables);
}

const maxInstances = 1_000;

function findInstance(
  options: TwigEnvironmentOptions,
  compiler: Compiler,
  instances: Map<string, { hash: string; instance: TemplateInstance }>,
  name: string,
): TemplateInstance | null {
  const found = options.getSource(name);
  if (!found) return null;
  const known = instances.get(name);
  if (known && known.hash === found.hash) return known.instance;
  const instance = createInstance(compiler.compile(found.source, found.hash, name), name);
  // A template with `use` copies blocks of others, which may change: it is created for each render.
  if (instance.code.traits.length > 0) return instance;
  if (instances.size >= maxInstances) instances.clear();
  instances.set(name, { hash: found.hash, instance });
  return instance;
}

interface StateParts {
  options: TwigEnvironmentOptions;
  limits: TwigLimits;
  tables: Pick<RenderState, 'functions' | 'filters' | 'tests'>;
  compiler: Compiler;
  globals: TwigContext;
  nowMs: number;
  find(name: string): TemplateInstance | null;
}

function createState({ options, limits, tables, compiler, globals, nowMs, find }: StateParts): RenderState {
  const loaded = new Map<string, TemplateInstance>();
  const countSource = () => {
    if (loaded.size >= limits.maxSources)
      throw new TwigError('limit', `The page uses more than ${limits.maxSources} templates.`);
  };
  return {
    ...tables,
    budget: 0,
    stepsLeft: limits.maxSteps,
    deadlineMs: Date.now() + limits.timeoutMs,
    maxLength: limits.maxOutputBytes,
    depth: 0,
    maxDepth: limits.maxDepth,
    globals,
    macros: new Map(),
    nowMs,
    findTemplate(name) {
      const known = loaded.get(name);
      if (known) return known;
      countSource();
      const instance = find(name);
      if (!instance) throw new TwigError('loader', `Template "${name.slice(0, 255)}" is not defined.`);
      loaded.set(name, instance);
      return instance;
    },
    compileString(source, name) {
      countSource();
      const label = name === '' ? '(string template)' : name;
      const instance = createInstance(compiler.compile(source, hashSource(source), label), label);
      loaded.set(`string:${loaded.size}:${label}`, instance);
      return instance;
    },
    getSource: (name) => options.getSource(name)?.source ?? null,
  };
}
