// must be first: it disables network access
import { serveSandbox } from '../serve.ts';
import { findTemplateFault } from '../template-fault.ts';
import { runBounded, TooSlow } from './bounded.ts';
import { ComponentFailure, NoComponent } from './component-failure.ts';
import type { InspectReply, InspectRequest } from './inspector.ts';
import { createReactRunner } from './react-runner.ts';
import { tryTemplate } from './try-template.ts';
import { createVariablesCheck, exampleVariables, readVariablesSchema, SchemaFault } from './variables-schema.ts';

const trialTimeoutMs = 2_000;
const checkTimeoutMs = 500;

type Json = Record<string, unknown>;

function inspectSchema(schema: Json | null): { schema: Json | null; fault: string | null } {
  if (schema === null) return { schema: null, fault: null };
  try {
    return { schema: readVariablesSchema(schema), fault: null };
  } catch (error) {
    if (!(error instanceof SchemaFault)) throw error;
    return { schema: null, fault: error.message };
  }
}

function checkTemplate(handle: string, source: string, functions: readonly string[]): InspectReply['templateFault'] {
  const fault = findTemplateFault(handle, source, functions);
  return fault && { line: fault.line, column: fault.column, message: fault.message };
}

type Trial = Pick<InspectReply, 'hasComponent' | 'trialFault' | 'markup'>;

const noTrial: Trial = { hasComponent: true, trialFault: null, markup: null };

/** Renders a React component, in its own isolate, since each may belong to another site. */
function renderReact(key: string, code: string, vars: Json): string {
  const runner = createReactRunner({ nowMs: Date.now(), timeoutMs: trialTimeoutMs });
  try {
    return runner.render({ key, code, props: JSON.stringify(vars), live: false, place: '', idPrefix: '' });
  } finally {
    runner.close();
  }
}

/** Returns the variables with the defaults of the schema. Throws a ComponentFailure if the schema rejects them. */
function fillVariables(schema: Json | null, given: Json): Json {
  if (!schema) return given;
  const vars = structuredClone(given);
  let fault: string | null;
  try {
    fault = runBounded(() => createVariablesCheck(schema)(vars), checkTimeoutMs);
  } catch (error) {
    if (!(error instanceof TooSlow || error instanceof RangeError)) throw error;
    fault = 'its variables take too long to check';
  }
  if (fault !== null) throw new ComponentFailure(fault);
  return vars;
}

function renderTrial({ handle, type, code, trial }: InspectRequest, schema: Json | null): string | null {
  if (!trial) return type === 'react' ? renderReact(handle, code, exampleVariables(schema)) : null;
  const vars = fillVariables(schema, trial.vars);
  if (type === 'react') return renderReact(handle, code, vars);
  return tryTemplate(handle, code, { site: trial.site, ...vars, vars }, { timeoutMs: trialTimeoutMs });
}

/** Renders a component as it is used, or a React component with the examples of its schema. */
function tryRender(request: InspectRequest, schema: Json | null): Trial {
  try {
    return { ...noTrial, markup: renderTrial(request, schema) };
  } catch (error) {
    if (error instanceof NoComponent) return { ...noTrial, hasComponent: false };
    if (error instanceof ComponentFailure) return { ...noTrial, trialFault: error.message };
    throw error;
  }
}

serveSandbox({
  inspect(request: InspectRequest): InspectReply {
    const { handle, type, code, schema: given, functions } = request;
    const { schema, fault } = inspectSchema(given);
    const templateFault = type === 'html' ? checkTemplate(handle, code, functions) : null;
    const isTried = fault === null && templateFault === null;
    return { schema, schemaFault: fault, templateFault, ...(isTried ? tryRender(request, schema) : noTrial) };
  },
});
