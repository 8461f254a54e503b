import { createComponentInspector, type InspectReply, type InspectTrial } from '../sandbox/components/inspector.ts';
import type { ThreadPool } from '../threads/thread-pool.ts';
import { forbidInTransaction } from '../transaction-guard.ts';
import { codeFrame } from './code-frame.ts';
import { compileReact } from './compile-react.ts';
import {
  type CompiledComponent,
  CompileError,
  type CompileFault,
  type ComponentSource,
  type ComponentWarning,
} from './compiled.ts';
import { createTextReader } from './text-reader.ts';

export interface CompileResult {
  compiled: CompiledComponent;
  warnings: ComponentWarning[];
}

/** A component that was compiled and rendered once. */
export interface TrialResult extends CompileResult {
  /** Null if rendering failed. */
  markup: string | null;
  /** Why rendering failed: variables that the schema rejects, or an error that the component throws. */
  fault: string | null;
}

export interface ComponentCompiler {
  /**
   * Compiles a component and renders it once as a trial. Components of different keys take turns. Throws a
   * CompileError, and `unavailable` when too many wait.
   */
  compile(key: string, source: ComponentSource): Promise<CompileResult>;
  /** Compiles a component and renders it as it would be used, on its own. Throws as `compile` does. */
  try(key: string, source: ComponentSource, trial: InspectTrial): Promise<TrialResult>;
  stop(): Promise<void>;
}

const fault = (member: CompileFault['member'], message: string, line = 0, column = 0, frame = ''): CompileFault => ({
  member,
  message,
  line,
  column,
  frame,
});

function readFaults(reply: InspectReply, source: string): CompileFault[] {
  const { schemaFault, templateFault, hasComponent } = reply;
  const faults: CompileFault[] = [];
  if (templateFault) {
    const { line, column, message } = templateFault;
    faults.push(fault('source_code', message, line, column, codeFrame(source, line, column)));
  }
  if (!hasComponent) {
    faults.push(fault('source_code', 'No component was found: export one as the default, or define only one.'));
  }
  if (schemaFault !== null) faults.push(fault('variables_schema', schemaFault));
  return faults;
}

function readWarnings({ trialFault }: InspectReply): ComponentWarning[] {
  if (trialFault === null) return [];
  return [
    {
      code: 'trial_render_failed',
      message: `A first render failed, perhaps because variables are missing: ${trialFault}`,
    },
  ];
}

/**
 * Creates the compiler of components: esbuild, threads that parse modules and style sheets, and a sandbox process that
 * inspects the result.
 */
export function createComponentCompiler(threads: Pick<ThreadPool, 'run'>): ComponentCompiler {
  const texts = createTextReader(threads);
  const inspector = createComponentInspector();
  async function inspect(key: string, source: ComponentSource, trial?: InspectTrial) {
    forbidInTransaction('Compiling');
    const { handle, type, source_code, css, variables_schema } = source;
    const react = type === 'react' ? await compileReact(texts, key, source_code) : null;
    const scoped = css === null ? { css: null, warnings: [] } : await texts.scopeCss(key, { css, handle });
    const code = react?.code ?? source_code;
    const request = { handle, type, code, schema: variables_schema, ...(trial && { trial }) };
    const reply = await inspector.inspect(key, request);
    if (!reply) throw new CompileError([fault('source_code', 'The component takes too much time or memory.')]);
    const faults = readFaults(reply, source_code);
    if (faults.length > 0) throw new CompileError(faults);
    const client = react?.client ?? null;
    return {
      reply,
      scoped,
      compiled: { format: 1, type, code, css: scoped.css, schema: reply.schema, client } as const,
    };
  }
  return {
    async compile(key, source) {
      const { reply, scoped, compiled } = await inspect(key, source);
      return { compiled, warnings: [...scoped.warnings, ...readWarnings(reply)] };
    },
    async try(key, source, trial) {
      const { reply, scoped, compiled } = await inspect(key, source, trial);
      return { compiled, warnings: scoped.warnings, markup: reply.markup, fault: reply.trialFault };
    },
    stop: () => inspector.stop(),
  };
}
